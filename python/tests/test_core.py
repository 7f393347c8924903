"""Positions, games, actions and notations."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import worldlines
from worldlines import Action, BoardAt, Game, Move, Note, Position, Variation

MATE = "1. e3 / f6 2. Qe2 / Nc6 3. Qh5"
BRANCHED = "1. Nf3 / Nf6 2. N>>f5 / (1T1)e6"


def test_the_licences_are_those_of_the_repository(corpus: Path) -> None:
    for name in ("LICENSE-MIT", "LICENSE-APACHE", "LICENSE-DATA"):
        assert (corpus.parent / "python" / "licenses" / name).read_bytes() == (corpus.parent / name).read_bytes()


def test_a_game_is_played_and_taken_back() -> None:
    game = Game()
    assert game.push("e3") == Action([Move("(0T1w)e2e3")])
    before = game.position
    for text in ("f6", "Qe2", "Nc6", "Qh5"):
        game.push(text)
    assert game.position.is_checkmate() and game.position.is_check() and len(game) == 5
    assert before == Position().play("e3"), "a position that was given away stays as it is"
    played = game.actions
    assert [game.pop() for _ in range(5)] == list(reversed(played))
    assert game.position == Position() and game == Game()
    with pytest.raises(IndexError):
        game.pop()


def test_a_refused_action_changes_nothing() -> None:
    game = Game.parse(BRANCHED)
    copied = game.copy()
    for wrong in (Action([]), Action([Move("(0T1w)e2e4")]), Action([Move("(9T9w)a1a2")])):
        with pytest.raises(worldlines.IllegalActionError) as caught:
            game.push(wrong)
        assert caught.value.code in ("no-move", "illegal-action") and caught.value.message
        assert not game.position.is_legal(wrong)
    with pytest.raises(worldlines.TextError):
        game.push("Qh9")
    assert game == copied and game.position == copied.position


def test_actions_are_values() -> None:
    position = Position.variant("Standard - Two Timelines")
    one, other = position.parse_action("(-0T1)e4 (+0T1)Nf3"), position.parse_action("(+0T1)Ng1f3 (-0T1)e2e4")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert [str(move) for move in one] == ["(-1T1w)e2e4", "(0T1w)g1f3"] and one[-1] == one.moves[1]
    assert one[0] in one and Move("(0T1w)a2a3") not in one and one.moves == tuple(one)
    assert position.action_text(one) == "(-0T1)e2e4 (+0T1)Ng1f3"
    assert position.action_text(one, "5duci").endswith("submit")
    assert sorted([one[1], one[0]]) == list(one) and one != object()
    with pytest.raises(IndexError):
        one[2]
    move = Game.parse(BRANCHED).actions[2][0]
    assert (move.kind, move.promotion, str(move.target)) == ("branch", None, "(0T1w)f5")
    assert move.origin.board == BoardAt(0, 2, "white") and move.origin.name == "f3"


def test_legal_actions_are_lazy() -> None:
    # More actions than can be listed: the first come all the same.
    position = Position("".join(f"[7k/8/8/8/8/8/8/QR2K3:{line}:1:w]" for line in range(-6, 7)))
    assert position.count_actions(10**12).capped
    first = [action for _, action in zip(range(3000), position.legal_actions())]
    assert len(set(first)) == 3000 and all(position.is_legal(action) for action in first[::500])
    listed = position.legal_actions(steps=5_000)
    with pytest.raises(worldlines.UndecidedError) as caught:
        for _ in listed:
            pass
    assert caught.value.code == "budget" and caught.value.steps >= 5_000
    with pytest.raises(worldlines.UndecidedError):
        next(listed)


@pytest.mark.parametrize("name", [variant.name for variant in worldlines.variants()])
def test_lists_are_the_same_however_long_they_are(name: str) -> None:
    position = Position.variant(name)
    count = position.count_actions(5_000)
    if not count.capped:
        listed = list(position.legal_actions())
        assert len(listed) == len(set(listed)) == count.number


def test_moves_of_a_board() -> None:
    position = Game.parse(BRANCHED).position
    (board,) = position.playable_boards()
    moves = position.legal_moves(board)
    assert moves and set(moves) <= set(position.pseudo_legal_moves(board)) and moves == position.legal_moves()
    assert position.move_text(moves[0]).startswith("(1T2)")
    assert position.mandatory_boards() == [board] and str(board) == "(1T2w)"
    with pytest.raises(worldlines.IllegalActionError, match="cannot move"):
        position.legal_moves((0, 1, "white"))
    assert position.pieces("(1T2w)")["f5"].kind == "knight"
    with pytest.raises(worldlines.WorldlinesError, match="no board"):
        position.pieces((0, 9, "white"))


def test_status_and_reasons() -> None:
    position = Game.parse(MATE).position
    outcome = position.outcome()
    assert (outcome.status, outcome.in_check, outcome.escape) == ("checkmate", True, None)
    assert position.why().complete and position.why().checks[0].startswith("white queen (0T3b)h5 attacks")
    assert {check.target.name for check in position.checks()} == {"e8"} and len(position.checks(1)) == 1
    assert position.why(steps=1).complete is False
    assert Position("[k2/2Q/1K1:0:1:b]").status() == "stalemate" and Position("[k2/2Q/1K1:0:1:b]").is_stalemate()
    softmate = Game.parse("1. f3 / e6 2. g4 / Qh4").position
    assert softmate.status() == "softmate" and softmate.outcome().escape is not None
    with pytest.raises(worldlines.UndecidedError):
        position.status(steps=0)


def test_the_end_of_a_game() -> None:
    assert not Position().is_game_over() and Position().outcome().result == "*" and Position().outcome().winner is None
    mated = Game.parse(MATE).position
    assert mated.is_game_over() and (mated.outcome().winner, mated.outcome().result) == ("white", "1-0")
    mated = Position("[K2/1q1/1k1:0:1:w]")
    assert mated.is_checkmate() and (mated.outcome().winner, mated.outcome().result) == ("black", "0-1")
    stalemate = Position("[k2/2Q/1K1:0:1:b]")
    assert stalemate.is_stalemate() and stalemate.is_game_over() and stalemate.outcome().result == "1/2-1/2"


def test_an_action_move_by_move() -> None:
    partial = Position.variant("Standard - Two Timelines").begin()
    assert partial.why_not() is not None and len(partial) == 0
    partial.push("(-0T1)e4")
    with pytest.raises(worldlines.IllegalActionError):
        partial.submit()
    with pytest.raises(worldlines.IllegalActionError):
        partial.push(Move("(-1T1w)e2e4"))
    copied = partial.copy()
    move = partial.legal_moves("(0T1w)")[0]
    assert partial.push(move) == move and partial.why_not() is None and partial != copied
    assert partial.pop() == move and partial == copied
    partial.push(move)
    action = partial.submit()
    assert action.moves[1] == move and partial.to_move == "black" and partial.position == copied.position.play(action)
    with pytest.raises(worldlines.IllegalActionError):
        partial.legal_moves("(0T1w)")
    with pytest.raises(IndexError):
        Position().begin().pop()


def test_values_are_pickled_and_copied() -> None:
    game = Game.parse('[Event "x"]\n[Rules "default +en-passant-onto-vacated"]\n[Promotions "Q,N"]\n1. e3 / f6 { dull } (1b. e5!?) 2. Qe2+ 1-0')
    assert game.position.rules == "default +en-passant-onto-vacated" and game.position.promotions == "Q,N"
    assert game.losses and game.result == "1-0" and game.headers == {"Event": "x"}
    for value in (game, game.position, game.actions[0], game.actions[0][0], worldlines.puzzle("one-knight-four-mates"), *worldlines.variants()):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(value, protocol)) == value
        assert copy.copy(value) == value and copy.deepcopy(value) == value
    restored = pickle.loads(pickle.dumps(game))
    assert restored.losses == game.losses and restored.notes == game.notes != {} and restored.position.rules == game.position.rules
    try:
        Game.parse("1. e3 / f6 2. e9")
    except worldlines.TextError as error:
        again = pickle.loads(pickle.dumps(error))
        assert (again.code, again.start, str(again)) == (error.code, error.start, str(error))


def test_notes_are_added_and_read() -> None:
    game = Game.parse("1. e3 / f6 2. Qe2 / Nc6")
    game.annotate(2, comment="Black opens\r\nthe diagonal.", judgement="?")
    game.annotate(2, judgement="$14")
    game.add_variation(1, ["e6", "d4"], notes={1: Note(("!",), ("solid",))}, result="*")
    game.add_variation(4, [game.position.parse_action("Qh5")])
    assert game.notes[2] == Note(("?", "$14"), ("Black opens\nthe diagonal.",))
    (variation,) = game.notes[1].variations
    assert variation.actions[0] == game.positions()[1].parse_action("e6") and variation.notes[1].judgements == ("!",)
    assert variation.result == "*" and game.notes[4].variations[0].notes == {}
    text = str(game.write())
    assert "(1b. (0T1)e7e6! {solid} 2. (0T2)d2d4 *)" in text and Game.parse(text) == game
    assert [str(loss) for loss in game.write("raw").losses].count("a variation") == 2
    with pytest.raises(TypeError):
        game.notes[1] = Note()  # type: ignore[index]
    assert len(game.notes) == 3
    assert set(game.until(3).notes) == {1, 2}
    game.pop()
    assert set(game.notes) == {1, 2} and Game.parse("1. e3 / f6 2. Qe2") != game
    game.notes = {}
    assert Game.parse("1. e3 / f6 2. Qe2") == game


def test_notes_that_cannot_be_are_refused() -> None:
    game = Game.parse("1. e3 / f6")
    game.annotate(1, comment="kept")
    before = game.copy()
    e4, e6 = Position().parse_action("e4"), game.positions()[1].parse_action("e6")
    deep = Variation((e4,), {}, None)
    for _ in range(100):
        deep = Variation((e4,), {0: Note((), (), (deep,))}, None)
    endless: dict[int, Note] = {}
    endless[0] = Note((), (), (Variation((e4,), endless, None),))
    refused: list[tuple[type[Exception], Callable[[], object]]] = [
        (IndexError, lambda: game.annotate(3, comment="x")),
        (IndexError, lambda: game.add_variation(3, [e4])),
        (ValueError, lambda: game.annotate(1)),
        (ValueError, lambda: game.annotate(1, comment="x", judgement="!!!")),
        (ValueError, lambda: game.annotate(1, judgement="$256")),
        (ValueError, lambda: game.annotate(1, judgement="$+5")),
        (ValueError, lambda: game.add_variation(1, [])),
        (ValueError, lambda: game.add_variation(1, [e6], result="2-0")),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (worldlines.IllegalActionError, lambda: game.add_variation(1, [e4])),
        (worldlines.IllegalActionError, lambda: game.add_variation(0, [e4, e4])),
        (worldlines.TextError, lambda: game.add_variation(0, ["e9"])),
        (TypeError, lambda: game.add_variation(0, "e4")),
        (IndexError, lambda: game.add_variation(0, [e4], notes={2: Note(("!",))})),
        (worldlines.IllegalActionError, lambda: game.add_variation(0, [e4], notes={1: Note(variations=(deep,))})),
        (ValueError, lambda: setattr(game, "notes", {0: Note(variations=(deep,))})),
        (ValueError, lambda: setattr(game, "notes", endless)),
        (TypeError, lambda: setattr(game, "notes", [Note()])),
        (TypeError, lambda: setattr(game, "notes", {0: "x"})),
    ]
    for error, call in refused:
        with pytest.raises(error):
            call()
        assert game == before and game.notes == before.notes


def test_a_review() -> None:
    game = Game.parse('[White "Anna"]\n1. e3 / f6 2. Qe2 / Nc6 3. Nf3 { quiet } / e5')
    review = game.review()
    (missed,) = [finding for finding in review.findings if finding.kind == "missed-mate"]
    assert missed.at == 4 and missed.action == game.actions[4] and missed.text.startswith("misses mate in 1 by (0T3)Qe2h5")
    assert missed.better == (game.positions()[4].parse_action("Qh5"),) and missed.punishment == ()
    (allowed,) = [finding for finding in review.findings if finding.kind == "allowed-mate"]
    assert allowed.at == 3 and allowed.punishment == missed.better and review.open == ()
    noted = review.annotated
    assert missed.text in noted.notes[5].comments and noted.notes[5].comments[0] == " quiet " and "?" in noted.notes[5].judgements
    assert noted.notes[4].variations[-1].actions == missed.better and Game.parse(str(noted)) == noted
    assert noted.actions == game.actions and noted.headers == game.headers and set(game.notes) == {5}
    assert pickle.loads(pickle.dumps(review)) == review == game.review()
    by_mates = game.review(thinking=0).findings
    assert missed in by_mates and not {finding.kind for finding in by_mates} & {"blunder", "mistake", "inaccuracy"}


def test_a_review_has_limits() -> None:
    game = Game.parse("1. e3 / f6 2. Qe2 / Nc6 3. Nf3 / e5")
    assert game.review(steps=5, thinking=0).open == tuple(range(6))
    assert game.review(time=0.0).open == tuple(range(6)) and game.review(time=0.0).findings == ()
    assert not [finding for finding in game.review(longest=1, thinking=0).findings if "mate in 2" in finding.text]
    assert Game().review().findings == ()
    for wrong in (0, 21):
        with pytest.raises(ValueError):
            game.review(longest=wrong)


def test_a_game_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Game())


def test_positions_hash_as_they_compare() -> None:
    one, other = Game.parse(BRANCHED).position, Position(Game.parse(BRANCHED).position.fen())
    assert one == other and hash(one) == hash(other) and one.md5() == other.md5()
    assert one != Position() and one != object() and len({one, other, Position()}) == 2
    assert Position(rules="orthodox") != Position()


#: Notations of a position alone: the moves that led to it are not in the text.
POSITIONS_ALONE = ("fen", "5dfen", "variants-json")


@pytest.mark.parametrize("info", worldlines.notations(), ids=lambda info: info.name)
def test_every_notation_is_written_and_read(info: worldlines.NotationInfo) -> None:
    game = Game.parse("1. e4 / e5 2. Nf3 / Nc6")
    if info.name in ("pgn", "chess64", "chess64-binary", "fen"):
        game = Game(Position(rules="orthodox"))
        if info.name != "fen":
            for text in ("e4", "e5", "Nf3"):
                game.push(text)
    written = game.write(info.name)
    assert isinstance(written.text, bytes) == (info.name == "chess64-binary")
    again = Game.parse(written.text, info.name)
    assert again.position.fen() == game.position.fen() and (info.name in POSITIONS_ALONE or again.actions == game.actions)
    assert written.losses or info.name in POSITIONS_ALONE or again == game


def test_losses_and_warnings_are_told() -> None:
    converted = worldlines.convert('[Event "An evening"]\n1. e3 / f6', "simplified")
    assert converted.text == "1. e2e3, f7f6\n" and converted.notation == "5dpgn"
    assert [str(loss) for loss in converted.losses] == ["the header `Event`"]
    game = Game.parse("1. e3 / f6 7. Qe2")
    (warning,) = game.warnings
    assert (warning.code, warning.line, warning.column) == ("wrong-number", 1, 12)


def test_places_are_indices_of_the_text() -> None:
    text = "{ é𝄞 }\n1. e3 / f6 2. Nf4"
    with pytest.raises(worldlines.IllegalError) as caught:
        Game.parse(text)
    error = caught.value
    assert text[error.start : error.end] == "Nf4" and (error.line, error.column) == (2, 15) and "^^^" in error.excerpt
    with pytest.raises(worldlines.IllegalError) as caught:
        Game.parse(text.encode())
    assert text.encode()[caught.value.start : caught.value.end] == b"Nf4"
    with pytest.raises(worldlines.MalformedError):
        Game.parse(b"1. \xff", "5dpgn")
    with pytest.raises(worldlines.TextError, match="notation") as unclear:
        Game.parse("what is this?")
    assert (unclear.value.code, unclear.value.line, unclear.value.column) == ("unknown-notation", 1, 1)
    with pytest.raises(worldlines.WorldlinesError, match="5dpgn"):
        Game.parse("1. e4", "5d pgn")


def test_several_games() -> None:
    text = '[Event "a"]\n1. e3\n\n[Event "b"]\n1. e4 / e5\n'
    one, other = worldlines.read_games(text, "5dpgn")
    assert (dict(one.headers), len(other)) == ({"Event": "a"}, 2) and other.position.to_move == "white"
    with pytest.raises(worldlines.TextError) as caught:
        worldlines.read_games(text + "\n[Event \"c\"]\n1. e9", "5dpgn")
    assert caught.value.line == 8


def test_wrong_types_are_told_in_a_line(tmp_path: Path) -> None:
    (file := tmp_path / "game").write_text("1. e3 / f6")
    with file.open() as opened:
        for given, end in ((5, "int$"), (file, r"`read_bytes\(\)` returns$"), (opened, r"`read\(\)` returns$")):
            for read in (Game.parse, worldlines.read_games, worldlines.Position):
                with pytest.raises(TypeError, match=f"(?m)^expected a text or bytes, but found .*{end}"):
                    read(given)  # type: ignore[arg-type]
    position = worldlines.Position()
    with pytest.raises(TypeError, match="(?m)^expected a Move or a text, but found int$"):
        position.begin().push(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`Action\(\[move\]\)`"):
        position.play(position.legal_moves()[0])  # type: ignore[arg-type]


def test_headers_and_results() -> None:
    game = Game.parse(MATE)
    game.headers["White"] = 'A "B"'
    game.result = "1-0"
    again = Game.parse(str(game))
    assert again == game and again.headers == {"White": 'A "B"'} and again.result == "1-0"
    del game.headers["White"]
    assert game.headers == {} and game.until(2).result is None and len(game.until(2)) == 2
    for key, value in (("", "x"), ("a b", "x"), ("A", "x\ny")):
        with pytest.raises(ValueError):
            game.headers[key] = value
    with pytest.raises(KeyError):
        del game.headers["White"]
    with pytest.raises(TypeError):
        game.headers["White"] = None  # type: ignore[assignment]
    with pytest.raises(ValueError):
        game.result = "2-0"  # type: ignore[assignment]


def test_pictures() -> None:
    game = Game.parse(BRANCHED)
    for picture in (game._repr_svg_(), game.position.svg(flipped=True, action=next(game.position.legal_actions())), game._repr_html_()):
        assert picture.startswith("<svg ") and picture.rstrip().endswith("</svg>")
    assert "White to move" in str(game.position) and repr(Position("[k2/3/K2:0:1:w]")) == "Position('[k2/3/K2:0:1:w]')"


def test_a_name_that_is_not_known_has_a_near_one() -> None:
    with pytest.raises(worldlines.WorldlinesError, match="Turn Zero"):
        Position.variant("Standard - Turn Zerro")


def test_the_prover() -> None:
    position = Position("[4/3k/KR1R/3r:0:1:w]")
    solution = position.solve(2, all=True)
    assert (solution.verdict, solution.mate_in, solution.complete) == ("proven", 2, True)
    assert [position.action_text(key) for key in solution.keys] == ["(0T1)Rb2b3"] and len(solution.line) == 3
    assert position.solve(1).verdict == "refuted"
    open_ = position.solve(2, steps=1)
    assert (open_.verdict, open_.undecided) == ("undecided", "budget")
    told = position.explain(2)
    assert told.threat is not None and told.variations and not told.left_out
    assert position.explain(2, limit=1).left_out
    for wrong in (0, 21):
        with pytest.raises(ValueError):
            position.solve(wrong)
    for jobs in (0, 257):
        with pytest.raises(ValueError):
            position.solve(2, jobs=jobs)
    defended = Game.parse("1. e3 / f6 2. Qe2").position
    surviving = defended.surviving_actions(1)
    assert surviving and defended.parse_action("Nc6") not in surviving


def test_threads_change_no_verdict() -> None:
    puzzle = worldlines.puzzle("today-and-yesterday")
    assert puzzle.goal == ("mate-in", 3)
    alone, together = (puzzle.position.solve(3, all=True, jobs=jobs) for jobs in (1, 3))
    assert alone.verdict == together.verdict == "proven" and alone.mate_in == together.mate_in
    assert set(alone.keys) == set(together.keys) and alone.complete and together.complete
    assert puzzle.position.solve(3, jobs=2, steps=20).undecided == "budget"


def test_an_action_has_a_text_only_where_it_is_legal() -> None:
    start = Position()
    action = start.parse_action("e4")
    assert start.action_text(action) == "(0T1)e2e4"
    after = start.play(action)
    for _ in range(2):
        with pytest.raises(worldlines.IllegalActionError):
            after.action_text(action)
        assert not after.is_legal(action) and start.is_legal(action)
    # The same object of a game is another position after each push.
    game = Game()
    listed = next(game.position.legal_actions())
    assert game.position.action_text(listed)
    for text in ("e4", "e5"):
        game.push(text)
        assert not game.position.is_legal(listed)
        with pytest.raises(worldlines.IllegalActionError):
            game.position.action_text(listed)
    game.pop(), game.pop()
    assert game.position.is_legal(listed) and Position().action_text(pickle.loads(pickle.dumps(listed)))


def test_certificates() -> None:
    position = Position("[4/3k/KR1R/3r:0:1:w]")
    text = position.certify(2, name="two-rooks")
    checked = worldlines.check_certificate(text)
    assert checked.accepted and checked.keys == 1 and checked.defences > 0
    wrong = worldlines.check_certificate(text.replace("mate-in: 2", "mate-in: 1"))
    assert not wrong.accepted and wrong.findings
    assert worldlines.check_certificate(text, steps=0).undecided == "budget"
    with pytest.raises(worldlines.PuzzleError):
        worldlines.check_certificate("schema: x")
    with pytest.raises(worldlines.WorldlinesError, match="no mate in 1"):
        position.certify(1)
    with pytest.raises(worldlines.UndecidedError):
        position.certify(2, steps=1)


def test_the_engine_of_this_process() -> None:
    position = Game.parse("1. e3 / f6 2. Qe2 / Nc6").position
    thought = position.think(steps=20_000)
    assert thought.mate == 1 and thought.action is not None and thought == position.think(steps=20_000)
    assert position.play(thought.action).think().ending == "checkmate"
    assert Position().think(time=0.05).action is not None


def test_an_analysis_goes_on_until_it_is_stopped() -> None:
    position = Position()
    with position.analysis() as analysis:
        depths = [thought.depth for _, thought in zip(range(3), analysis)]
        assert depths == sorted(depths) and not analysis.done and "running" in repr(analysis)
        assert analysis.info is not None and analysis.info.action is not None
        assert position.action_text(analysis.info.action)
    last = analysis.wait()
    assert analysis.done and last.action is not None and position.is_legal(last.action) and "ended" in repr(analysis)
    assert all(thought.depth >= depths[-1] for thought in analysis), "what was not read is read after the end"
    assert next(analysis, None) is None and analysis.wait() == last


def test_an_analysis_ends_by_itself() -> None:
    position = Game.parse("1. e3 / f6 2. Qe2 / Nc6").position
    mate = position.analysis()
    assert [thought.mate for thought in mate] == [1]
    assert mate.wait().mate == 1 and mate.wait().action == position.parse_action("Qh5")
    assert Position().analysis(steps=5_000).wait() == Position().think(steps=5_000)
    over = position.play("Qh5").analysis()
    assert list(over) == [] and over.info is None and over.wait().ending == "checkmate"
    begun = time.monotonic()
    assert Position().analysis(time=0.2).wait().action is not None
    assert 0.15 < time.monotonic() - begun < 5.0
    assert max(thought.depth for thought in Position().analysis(depth=2)) == 2
    with pytest.raises(ValueError):
        Position().analysis(time=-1.0)
    with pytest.raises(ValueError):
        Position().analysis(mate_in=0)


def test_puzzles() -> None:
    puzzles = worldlines.puzzles()
    assert len(puzzles) >= 379 and len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    puzzle = worldlines.puzzle("one-knight-four-mates")
    assert puzzle in puzzles and puzzle.goal == ("mate-in", 2) and puzzle.position.to_move == "white"
    assert puzzle.judge("c3").left == 1 and puzzle.judge("c3", "Kd3", "Nb3").left == 0
    wrong = puzzle.judge("Nb3")
    assert (wrong.verdict, str(wrong.refutation)) == ("wrong", "(0T1b)a3c2")
    illegal = puzzle.judge(Action([Move("(0T1w)a1a2")]))
    assert illegal.verdict == "illegal" and illegal.message
    with pytest.raises(worldlines.TextError):
        puzzle.judge("Ka9")
    with pytest.raises(KeyError):
        worldlines.puzzle("no-such-puzzle")
    assert puzzle.certificate is not None and worldlines.check_certificate(puzzle.certificate).accepted
    assert puzzle.certify() is None, "it has its certificate"
    (alone,) = worldlines.read_puzzles(puzzle.text)
    made = alone.certify()
    assert made is not None and worldlines.check_certificate(made).accepted


def test_a_puzzle_that_cannot_be_read() -> None:
    (puzzle,) = worldlines.read_puzzles("id: x", "mine.yaml")
    with pytest.raises(worldlines.PuzzleError, match="mine.yaml:1"):
        puzzle.position
    report = puzzle.verify()
    assert report.answer == "fail" and report.findings and report.findings[0].text
