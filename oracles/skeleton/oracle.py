#!/usr/bin/env python3
"""A skeleton for asking a rules library in Python: fill in `Library`, then run

    worldlines diff --oracle 'cmd:python3 oracles/skeleton/oracle.py' corpus/rules

The protocol is in spec/oracle-protocol.md. As it stands, the skeleton takes boards and says only what they are.
"""

import json
import sys


class Library:
    """Replace what these methods do by calls of your library."""

    def __init__(self, start):
        # start["boards"] holds the boards as 5DFEN, start["to_move"] is "white" or "black".
        self.shown = start["boards"]

    def play(self, action):
        # An action is a list of moves such as "(0T1)e2(0T1)e4".
        raise NotImplementedError("this skeleton plays no actions")

    def boards(self):
        return self.shown

    def in_check(self):
        return None

    def legal_actions(self):
        return None


MANIFEST = {"name": "skeleton", "features": ["in_check", "actions", "legal_actions"]}


def position(question):
    library = Library(question["start"])
    for action in question["actions"]:
        library.play(action)
    answer = {"boards": library.boards(), "in_check": library.in_check()}
    actions = library.legal_actions()
    if actions is not None:
        answer["actions"] = actions
        answer["legal_actions"] = {"count": len(actions), "exact": True}
    return answer


for line in sys.stdin:
    question = json.loads(line)
    try:
        answer = MANIFEST if question["ask"] == "hello" else position(question)
    except NotImplementedError as error:
        answer = {"not_asked": str(error)}
    print(json.dumps({"id": question.get("id"), **answer}), flush=True)
