// @ts-check
// The texts of the page in English. `german.js` has the same keys; words that stand in a text come as arguments.

/** Writes numbers in digits. Small ones are the same in every language, and the first one that a browser writes in one takes it 25 ms. @param {string} language */
export const digitsIn = (language) => (/** @type {number} */ count) => (count < 1000 ? String(count) : count.toLocaleString(language));
const digits = digitsIn('en');

/** @param {number} count @param {string} one @param {string} [more] */
const counted = (count, one, more = `${one}s`) => `${digits(count)} ${count === 1 ? one : more}`;

/** A list of which the first ones are named. @param {string[]} named @param {number} others how many more there are */
const andMore = (named, others) => named.join(', ') + (others > 0 ? ` and ${others} more` : '');

/** @param {string[]} named */
const listed = (named) => (named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join(''));

/** @param {string[]} losses */
const lost = (losses) => (losses.length > 0 ? ` Not kept: ${losses.join('; ')}.` : '');

/** Numbers in sentences; larger ones are digits. */
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
/** @param {number | string} count */
const inWords = (count) => NUMBERS[Number(count)] ?? String(count);
/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Notations whose names in the library are parts of a sentence, by their short names. @type {Record<string, string>} */
const NOTATIONS = { 'variants-json': 'JSON of variants', 'gui-fen': 'FEN of the 5D chess GUI', raw: 'Raw coordinates', tn: 'Notation of cwmtt' };

/** The names of answers. @type {Record<string, string>} */
const ANSWERS = { yes: 'yes', no: 'no', checkmate: 'checkmate', stalemate: 'stalemate', softmate: 'softmate', ongoing: 'ongoing' };

/** Themes whose names need other words. @type {Record<string, string>} */
const THEMES = { study: 'composed position', game: 'from a game' };

/** A rating whose deviation is larger is not sure yet. */
const UNSURE = 220;

/** @type {Record<string, string>} */
const PIECES = { P: 'pawn', W: 'brawn', N: 'knight', B: 'bishop', R: 'rook', U: 'unicorn', D: 'dragon', S: 'princess', Q: 'queen', Y: 'royal queen', K: 'king', C: 'common king' };

export const english = {
  white: 'White',
  black: 'Black',
  /** @param {string} letter of a white piece @param {boolean} isWhite */
  piece: (letter, isWhite) => `${isWhite ? 'white' : 'black'} ${PIECES[letter] ?? letter}`,
  /** A kind of piece, as a heading. @param {string} letter of a white piece */
  kind: (letter) => capital(PIECES[letter] ?? letter),
  /** A sentence of the library. @param {string} text */
  library: (text) => text,
  /** An error: the library's have a code, and a place if they are in a text. The first line is not named: most texts have no other. @param {{ code?: string, message: string, line?: number, column?: number }} error */
  fault: (error) => (error.line === 1 ? error.message.replace(/, at line 1, column \d+$/, '') : error.message),
  /** The title of a puzzle; as it is where it has no other words. @param {string} text */
  title: (text) => text,
  /** A theme of puzzles. @param {string} theme */
  theme: (theme) => THEMES[theme] ?? theme.replaceAll('-', ' '),
  undo: 'Undo',
  close: 'Close',
  done: 'Done',
  lost,
  /** The name of a notation. @param {string} name its short name @param {string} title @returns {string} */
  notation: (name, title) => NOTATIONS[name] ?? title,
  /** Keys of the keyboard. @type {Record<string, string>} */
  keys: { Home: 'Home', End: 'End', PageDown: 'Page Down', Enter: 'Enter', Esc: 'Esc' },

  page: {
    title: 'Worldlines: a board for 5D chess',
    description: 'A board for 5D chess, chess with time travel: play, analyse, prove mates and solve puzzles. Nothing is sent anywhere.',
    loading: 'Loading …',
    noScript: 'The board needs JavaScript: games are played and proved in your browser, and nothing is sent anywhere.',
    /** @param {string} why */
    failed: (why) => `The board could not be loaded: ${why}. `,
    notLoaded: 'Not loaded',
    again: 'Try again',
    drop: 'Drop a game or a puzzle file',
    panels: 'Panels',
    tabs: 'What to do',
    grip: 'Size of the panel',
    play: 'Play',
    analyse: 'Analyse',
    puzzles: 'Puzzles',
    author: 'Author',
    setup: 'Setup',
    text: 'Text',
    /** @param {boolean} kept whether the last game is kept @param {string[]} losses */
    linkOpened: (kept, losses) => `The game of the link is on the board.${kept ? ' The last one is kept.' : ''}${lost(losses)}`,
    /** @param {string} why */
    linkFailed: (why) => `The link cannot be read: ${why}.`,
    /** @param {string} id */
    noPuzzle: (id) => `There is no puzzle ${id}.`,
  },

  view: {
    name: 'View',
    zoomOut: 'Zoom out',
    zoomIn: 'Zoom in',
    whole: 'Whole multiverse',
    near: 'Boards that can be played',
    turn: 'Flip board',
    draw: 'Draw arrows and circles',
    settings: 'Settings',
    help: 'Help and keys',
    /** A button that a key presses too. @param {string} name @param {string} key */
    withKey: (name, key) => `${name} (${key})`,
  },

  board: {
    name: 'Board',
    multiverse: 'Multiverse',
    overview: 'The whole multiverse: press where you want to look',
    /** @param {string} mover @param {string} present @param {number} boards @param {number} timelines */
    about: (mover, present, boards, timelines) => `Multiverse: ${mover} to move, present ${present}: ${counted(boards, 'board')} on ${counted(timelines, 'timeline')}`,
    evaluation: 'Evaluation for White',
    unknown: 'unknown',
    result: 'The end of the game',
    keys: 'Page Down begins to go over squares by keys: arrow keys go from square to square, and over the edge to the next board. Enter chooses a piece and where it goes. N goes to the next square that can be reached. Escape ends that. The question mark shows all keys.',
    action: 'Action',
    undo: 'Take back',
    undoMove: 'Take the last move back',
    undoAction: 'One action back',
    made: 'Moves of this action',
    show: 'Show the board',
    submit: 'Submit',
    submitAction: 'Submit the action',
    ready: 'Submit to end your turn.',
    earlier: 'Earlier position: go to the end',
    taken: 'Taken back. Make another move.',
    redo: 'Redo',
    /** @param {string} target a piece in White's colour @param {string} on where it stands @param {string} piece @param {string} from */
    danger: (target, on, piece, from) => `The ${PIECES[target] ?? target} on ${on} could be taken by the ${PIECES[piece] ?? piece} on ${from}.`,
    /** @param {string[]} named moves @param {number} others */
    someMade: (named, others) => `${named.join(' ')} and ${others} more`,
    /** @param {number} count */
    countMade: (count) => `${counted(count, 'move')} made`,
    /** @param {string} player */
    makesMove: (player) => `${player} makes a move.`,
    /** @param {string} board */
    moveOn: (board) => `Move on ${board}.`,
    /** @param {string[]} named boards @param {number} others */
    mayWait: (named, others) => `${others > 0 ? andMore(named, others) : listed(named)} may wait.`,
    /** @param {string[]} named boards @param {number} others how many more boards are left */
    left: (named, others) => `${counted(named.length + others, 'board')} to play: ${andMore(named, others)}`,
    /** A piece that was pressed, and how it moves. @param {string} letter in White's colour @param {string} how */
    pieceIs: (letter, how) => `${capital(PIECES[letter] ?? letter)}: ${how}`,
    /** What a triangle at the edge points to. */
    pointsToDuty: 'Gold triangle: a board to play. Press it.',
    pointsToCheck: 'Red triangle: a king in check. Press it.',
    pointsToNews: 'Purple triangle: a board that the last action made.',
    pointsToBoth: 'Gold triangle: a board to play. Purple: a new one.',
    pinch: 'Pinch to see more boards.',
    corners: 'Green corners mark the pieces that can move.',
    pointsToTarget: 'Green triangles: more boards.',
    /** @param {string} label */
    afterPass: (label) => `${label} after a pass`,
    inactive: 'inactive',
    /** @param {string} turn */
    present: (turn) => `Present ${turn}`,
    draw: 'Press a square, or drag to another one, to draw.',
    ink: 'Colour to draw with',
    /** @type {Record<string, string>} */
    inks: { green: 'green', red: 'red', blue: 'blue', yellow: 'yellow' },
    erase: 'Clear drawings',
    notKept: 'The browser keeps no games here: save them as files under Text.',
    /** @param {string} square @param {string} board */
    squareOn: (square, board) => `${square} on ${board}`,
    /** @param {string} piece @param {string} square @param {string[]} named squares @param {number} others */
    selected: (piece, square, named, others) => `${piece} on ${square}: ${named.length === 0 ? 'no moves' : `${counted(named.length + others, 'move')}: ${andMore(named, others)}`}`,
    /** @param {string} move @param {boolean} whole */
    madeMove: (move, whole) => `made ${move}${whole ? '; can be submitted' : ''}`,
    promote: 'Promotion',
    promoteTo: 'Promote to',
    nothingBack: 'nothing of yours can be taken back',
    /** @param {number} count */
    takenBack: (count) => `taken back; ${counted(count, 'move')} left`,
    /** @param {string} why */
    notYet: (why) => `Not yet: ${why}`,
    /** @param {string} move */
    premove: (move) => `${move} waits for the engine`,
    premoveGone: 'The move that waited cannot be made now.',
    start: 'start',
    drawingsGone: 'The drawings are gone.',
    empty: 'empty',
    /** @param {string} square @param {string} piece @param {string} board @param {boolean} reached */
    at: (square, piece, board, reached) => `${square} ${piece} on ${board}${reached ? ', can be reached' : ''}`,
    /** @param {string} action @param {string[]} moves @param {string} standing */
    last: (action, moves, standing) => `${action ? `last: ${action}` : 'nothing was played'}. ${moves.length > 0 ? `Made: ${moves.join(', ')}. ` : ''}${standing}`,
    noCheck: 'No check.',
  },

  standing: {
    /** @param {string} winner */
    checkmate: (winner) => `Checkmate: ${winner} has won`,
    stalemate: 'Stalemate: a draw',
    /** @param {string} mover */
    softmate: (mover) => `${mover} in check: only travel helps`,
    /** @param {string} mover @param {boolean} inCheck */
    ongoing: (mover, inCheck) => `${mover} to move${inCheck ? ', in check' : ''}`,
    /** The end of a game of which nobody knows more. @param {string} loser */
    lost: (loser) => `${loser} lost`,
    settingUp: 'Setting up',
  },

  play: {
    variant: 'Variant',
    clock: 'Clock',
    noClock: 'None',
    clockHelp: "Minutes, and the seconds that each action adds. The clock begins with White's first action, and stands while something else is on the board.",
    opponent: 'Against',
    /** @param {string} player */
    youPlay: (player) => `You play ${player}. Play the other colour`,
    newGame: 'New game',
    copyLink: 'Copy link to this game',
    linkHelp: 'A link that holds the whole game. Whoever opens it sees the game as it is now, and can go on with a copy.',
    resign: 'Resign',
    draw: 'Draw',
    offerDraw: 'Offer a draw',
    declined: 'No draw: the engine sees itself ahead.',
    nextGame: 'For the next game.',
    agree: 'Agree to a draw?',
    useNow: 'Use in this game too',
    link: 'Link',
    earlier: 'Earlier games',
    human: 'Human',
    engine: 'Engine',
    engineWeak: 'Engine, weak',
    engineMedium: 'Engine, medium',
    engineStrong: 'Engine, strong',
    noServer: 'The engine of the server is not there now.',
    waits: 'The engine plays in the game itself. In this variation it waits until you have played an action.',
    /** @param {string} player */
    thinks: (player) => `${player} thinks …`,
    /** @param {string} player @param {string} action */
    played: (player, action) => `${player} played ${action}.`,
    noAction: 'It has no action.',
    /** @param {string} why */
    failed: (why) => `The engine failed: ${why}.`,
    begun: 'A new game. The last one is kept.',
    linkCopied: 'The link is copied: the whole game, and it opens here.',
    linkHolds: 'The link holds the whole game.',
    game: 'Game',
    opened: 'The earlier game is on the board.',
    gone: 'The earlier game is gone.',
    delete: 'Delete',
    /** @param {string} title */
    deleteGame: (title) => `Delete ${title}`,
    custom: 'Custom position',
    /** @param {string[]} engines the players that are programs */
    against: (engines) => (engines.length === 0 ? 'two people' : engines.length === 1 ? `against ${engines[0]}` : engines.join(' – ')),
    /** @param {string} against @param {string} result @param {number} actions @param {string} when */
    about: (against, result, actions, when) => [against, result, counted(actions, 'action'), when].filter(Boolean).join(' · '),
  },

  analyse: {
    engine: 'Engine',
    lines: 'Lines',
    actions: 'Legal actions',
    why: 'Why?',
    threat: 'Threat',
    pass: 'If I pass',
    passKey: 'Shows the boards as they were if you passed, and lets you see what attacks you then',
    mateIn: 'Mate in',
    prove: 'Prove',
    review: 'Review the game',
    reviewVariation: 'Review variation',
    reviewOf: 'Review of the main line',
    /** @param {string} branch the action with which it leaves the main line */
    reviewOfVariation: (branch) => `Review of the variation with ${branch}`,
    unfold: 'Show the whole line',
    stop: 'Stop',
    certificate: 'Download the certificate',
    certificateIs: 'A file that proves the mate, and that a small checker accepts or refuses.',
    more: 'More',
    lineHelp: 'Plays its first action',
    keepLine: 'Put the whole line into the list',
    lineKept: 'The line is in the list now, as a variation.',
    thinking: 'Thinking …',
    /** @param {string} ending */
    noAction: (ending) => `No action: ${ending}.`,
    /** @param {number} depth @param {boolean} done */
    depth: (depth, done) => `Depth ${depth}${done ? ', done' : ' …'}`,
    /** @param {string} player @param {number} mateIn @param {boolean} done whether other lines are looked for no more */
    mateFound: (player, mateIn, done) => `${player} mates in ${mateIn}, proved${done ? '' : '; other lines …'}`,
    /** @param {string} how */
    over: (how) => `The game is over. ${how}.`,
    /** @param {number} steps */
    steps: (steps) => counted(steps, 'search step'),
    /** @param {string} why */
    failed: (why) => `The engine failed: ${why}. Press the button again.`,
    looking: 'Looking …',
    lookingForActions: 'Looking for legal actions …',
    lookingForThreat: 'Looking for a threat …',
    /** @param {number} length the mate that is looked for now @param {number} none up to which length there is none @param {number} seconds */
    proving: (length, none, seconds) => `Looking for mate in ${length} … ${counted(seconds, 'second')}${none > 0 ? `; there is none in ${none}` : ''}.`,
    reviewing: 'Reviewing …',
    deeper: 'Review deeper',
    deeperHelp: 'Looks at every position five times as long. Whatever the engine has found out meanwhile counts too.',
    /** @param {number} percent */
    chance: (percent) => `White's chance to win: ${percent} %`,
    /** @param {number} percent @param {string} score @param {number} depth 0 if the score is proved */
    chanceAt: (percent, score, depth) => `White's chance to win here: ${percent} %${score ? ` (${score}${depth > 0 ? `, depth ${depth}` : ''})` : ''}`,
    /** @type {Record<'blunder' | 'mistake' | 'inaccuracy', string>} */
    grades: { blunder: 'Blunder', mistake: 'Mistake', inaccuracy: 'Inaccuracy' },
    /** What the review found of the action on the board, in short. @param {string} grade its word @param {number} was percents @param {number} is */
    verdict: (grade, was, is) => `${grade}, ${was} % → ${is} %`,
    verdictHelp: 'Draws what was better, on the position before it',
    /** @param {string} grade its word @param {string} player @param {number} was percents @param {number} is */
    fault: (grade, player, was, is) => `${grade}: ${player}'s chance to win fell from ${was} % to ${is} %`,
    /** @param {string} from a score for White @param {string} to @param {number} depth 0 if both are proved */
    faultBy: (from, to, depth) => `${from} → ${to}${depth > 0 ? `, depth ${depth}` : ''}`,
    /** Where grades begin, in points of the chance to win. @param {number} inaccuracy @param {number} mistake @param {number} blunder */
    limits: (inaccuracy, mistake, blunder) => `Judged by how far the chance to win falls: ?! from ${inaccuracy} points of it on, ? from ${mistake} and ?? from ${blunder}.`,
    /** @param {number} least @param {number} most @param {number} steps @param {number} seconds */
    restsOn: (least, most, steps, seconds) => `The looks went ${least === most ? `to depth ${most}` : `to depths ${least} to ${most}`}, with ${counted(steps, 'search step')} for a position and more where an action looked bad; that took ${counted(seconds, 'second')}. A longer look may judge otherwise: where the engine has looked deeper, the graph and the chances show what it found.`,
    /** Actions that the engine did not see coming. @param {string[]} named @param {number} others */
    /** The reason of a grade. */
    suspects: 'the engine suspects a mate, not proved',
    /** @param {string} score @param {number} depth 0 if it is proved */
    knownBetter: (score, depth) => `Known: ${score}, ${depth > 0 ? `depth ${depth}` : 'proved'}.`,
    likelyMate: 'M? is a mate that is likely and not proved.',
    whyHelp: 'Shows what gives check, and why actions fail',
    threatHelp: 'Shows what the opponent would play if you passed',
    proveHelp: 'Looks at everything: it finds the mate, or says for certain that there is none',
    yourGame: 'Your game',
    /** @param {string} what @param {string} title */
    titled: (what, title) => `${what} “${title}”`,
    yourSetup: 'The position under Setup',
    /** @param {string} title */
    puzzle: (title) => `Puzzle: ${title}`,
    /** @param {number} none up to which length there is no mate; 0 if that is not known */
    stopped: (none) => `Stopped.${none > 0 ? ` There is no mate in ${none}.` : ''}`,
    /** @param {number} count */
    legal: (count) => (count === 0 ? 'No legal action.' : count === 1 ? 'One legal action.' : `${counted(count, 'legal action')}.`),
    /** @param {number} count */
    moreThan: (count) => `More than ${counted(count, 'legal action')}.`,
    /** @param {number} count */
    counting: (count) => `More than ${counted(count, 'legal action')}; counting …`,
    /** @param {number} count */
    notCounted: (count) => `More than ${counted(count, 'legal action')}; they could not be counted.`,
    /** @param {number} mateIn @param {number} asked @param {number} keys @param {boolean} all whether these are all keys @param {number} steps @param {string} only the key with its class, if there is one */
    proven: (mateIn, asked, keys, all, steps, only) => `Mate in ${mateIn}${asked > mateIn ? `, and in at most ${asked}` : ''}: ${counted(keys, 'key')}${all ? '' : ' or more'}${only ? `: ${only}` : ''}. ${counted(steps, 'search step')}.`,
    /** The other actions of the class of a key. @param {number} others @param {string[]} free boards on which they may play anything */
    others: (others, free) => `, and ${digits(others)} more with anything on ${listed(free)}`,
    byForce: 'mates by force',
    longest: 'the longest defence',
    mating: 'the next key',
    /** @param {number} most */
    mateRange: (most) => `A mate takes 1 to ${most} actions.`,
    /** @param {number} mateIn */
    refuted: (mateIn) => `No mate in ${mateIn}: every action was refuted.`,
    /** @param {number} steps @param {number} none up to which length there is no mate */
    notKnown: (steps, none) => `Not known after ${counted(steps, 'search step')}.${none > 0 ? ` There is no mate in ${none}.` : ''}`,
    /** @param {string} why */
    noCertificate: (why) => `There is no certificate: ${why}.`,
    noPass: 'Nobody can pass here.',
    /** @param {string} player */
    checkPass: (player) => `${player} is in check and cannot pass: the king would be taken.`,
    /** @param {string} player */
    checkThreat: (player) => `${player} is in check: the threat is to take the king.`,
    /** @param {string} player @param {string | null} action @param {number} mateIn 0 if it mates not */
    afterPass: (player, action, mateIn) => `After a pass ${player} ${action ? `plays ${action}${mateIn > 0 ? `, and mates in ${mateIn}` : ''}` : 'has no action'}.`,
    theThreat: 'the threat',
    ifPassed: 'if you passed',
    expected: 'expected',
    check: 'check',
    whyCheckmate: 'Checkmate: in check, and no action is legal.',
    whyStalemate: 'Stalemate: not in check, and no action is legal.',
    whySoftmate: 'Softmate: in check, and every legal action moves the present back.',
    whyCheck: 'Check. The arrows show what captures a royal piece.',
    whyNoCheck: 'No check: nothing captures a royal piece if the player passes.',
    whyUndecided: 'Not known within the search steps.',
    whyFail: ' Why actions fail, each with an example:',
    notAllTried: ' There are more than were tried.',
    /** @param {string} example @param {number} others */
    example: (example, others) => `${example}${others > 0 ? `, and ${digits(others)} more` : ''}`,
    nothingToReview: 'There is no action to review.',
    /** @param {number} done @param {number} total @param {number} seconds @param {number} left seconds that it may still take; 0 if nobody knows */
    reviewed: (done, total, seconds, left) => `Reviewing: ${done} of ${counted(total, 'position')}, ${left === 0 ? counted(seconds, 'second') : left < 60 ? `about ${left} s left` : `about ${Math.round(left / 60)} min left`} …`,
    worst: 'The worst so far:',
    /** @param {number} mateIn @param {string | null} action */
    missed: (mateIn, action) => `missed a mate in ${mateIn}: ${action}`,
    /** @param {string | null} action */
    better: (action) => `better: ${action}`,
    /** A line of the engine. @param {string} line */
    betterLine: (line) => `Better line: ${line}`,
    /** @param {string} played @param {string} line */
    answer: (played, line) => `After ${played}: ${line}`,
    /** @param {number} blunders @param {number} mistakes @param {number} inaccuracies */
    faults(blunders, mistakes, inaccuracies) {
      const named = [blunders > 0 && counted(blunders, 'blunder'), mistakes > 0 && counted(mistakes, 'mistake'), inaccuracies > 0 && counted(inaccuracies, 'inaccuracy', 'inaccuracies')].filter((one) => one !== false);
      return named.length === 0 ? 'No mistake, as far as the engine sees.' : `${capital(listed(named))}, with glyphs in the list.`;
    },
    graph: "White's chance to win through the game",
  },

  puzzles: {
    next: 'Next puzzle',
    nextLesson: 'Next lesson',
    showWhy: 'Show me why',
    task: 'Shows all of the text, and a line of it again',
    back: 'Back to the puzzle',
    hint: 'Hint',
    solution: 'Solution',
    again: 'Restart',
    daily: 'Puzzle of the day',
    unsolved: 'Another puzzle',
    reset: 'Reset',
    lessons: 'Lessons',
    all: 'All puzzles',
    search: 'Search',
    searchFor: 'title, theme, collection',
    goal: 'Goal',
    theme: 'Theme',
    any: 'any',
    order: 'Order',
    easyFirst: 'easy first',
    hardFirst: 'hard first',
    byTitle: 'by title',
    /** The name of a goal in a list. @type {Record<string, (value: number | string) => string>} */
    goals: {
      mateIn: (value) => `mate in ${value}`,
      noMateIn: (value) => `no mate in ${value}?`,
      selfmateIn: (value) => `selfmate in ${value}`,
      survive: (value) => `survive ${value}`,
      onlyDefence: (value) => `only defence against mate in ${value}`,
      status: () => 'how it stands',
    },
    /** What a goal asks of a player. @type {Record<string, (mover: string, value: number | string) => string>} */
    tasks: {
      mateIn: (mover, value) => `${mover} mates in ${value}`,
      noMateIn: (mover, value) => `Has ${mover} a mate in ${value}?`,
      selfmateIn: (mover, value) => `${mover} makes the opponent mate ${mover} in ${value}`,
      survive: (mover, value) => `${mover} is not mated in ${value}`,
      onlyDefence: (mover, value) => `${mover} finds the only action that is not mated in ${value}`,
      status: (mover) => `How does the game stand for ${mover}?`,
    },
    answers: ANSWERS,
    /** @param {string} author */
    by: (author) => `By ${author}.`,
    /** @param {string} player @param {string} pieces */
    unmovedOf: (player, pieces) => `${player}'s ${pieces}`,
    /** @param {string} pieces */
    unmoved: (pieces) => `Not moved yet: ${pieces}.`,
    noRating: 'Puzzles are rated from your first try; a hint counts as a miss. Lessons are not rated.',
    /** @param {number} rating @param {number} deviation @param {number} count */
    rating: (rating, deviation, count) => `Your rating: ${rating} ± ${deviation}${deviation > UNSURE ? ' (provisional)' : ''}, from ${counted(count, 'puzzle')}. It stays in this browser.`,
    ratingReset: 'The rating begins anew.',
    judging: 'Judging …',
    mateSolved: 'Mate. Solved!',
    selfmateSolved: 'Every reply mates. Solved!',
    holds: 'It holds. Solved!',
    /** @param {boolean} isSelfmate @param {number} left @param {string} [reply] */
    right: (isSelfmate, left, reply) => `${reply ? `Right. ${reply} is played; ` : 'Right: '}${isSelfmate ? 'selfmate' : 'mate'} in ${left}.`,
    /** What a wrong action comes to, by the goal. @type {Record<string, (opponent: string, reply: string | null, value: number | string) => string>} */
    wrongs: {
      mateIn: (opponent, reply, value) => `Wrong: ${opponent} escapes with ${reply}. Mate in ${value} was asked.`,
      selfmateIn: (opponent, reply, value) => `Wrong: ${opponent} plays ${reply}, and need not mate in time. Selfmate in ${value} was asked.`,
      survive: (opponent, reply, value) => `Wrong: ${opponent} plays ${reply}, and mates in ${value} or sooner.`,
      onlyDefence: (opponent, reply, value) => `Wrong: ${opponent} plays ${reply}, and mates in ${value} or sooner.`,
    },
    /** @param {string} opponent */
    stalemate: (opponent) => `Wrong: then ${opponent} has no legal action and is not in check. That is stalemate, a draw.`,
    /** @param {string} opponent @param {string | null} reply @param {number | null} mateIn @param {number | string} asked */
    slower: (opponent, reply, mateIn, asked) => `Too slow: ${opponent} holds out with ${reply}, and the mate comes in ${mateIn}. Mate in ${asked} was asked.`,
    /** @param {string | null} why */
    undecided: (why) => `Not known: ${why}.`,
    look: 'Look at the position, and answer.',
    goOn: 'Go on: find the next action.',
    make: 'Make the moves on the board.',
    /** @param {string} answer */
    answerRight: (answer) => `${answer}: right. Solved!`,
    /** @param {string} answer */
    answerWrong: (answer) => `Not ${answer}. Analyse shows why.`,
    /** @param {string} task @param {string} size @param {number} timelines @param {string} stars */
    about: (task, size, timelines, stars) => `${task} · ${size} · ${counted(timelines, 'timeline')} · ${stars}`,
    /** @param {number} solved @param {number} all @param {number | undefined} row */
    solved: (solved, all, row) => `${solved} of ${counted(all, 'puzzle')} solved${row === undefined ? '' : ` · Streak: ${row}`}`,
    /** @param {number} before @param {number} now */
    rated: (before, now) => `Your rating: ${before} → ${now} (${now < before ? '−' : '+'}${Math.abs(now - before)})`,
    nothing: 'No puzzle is found for that.',
    /** @param {number} done @param {number} all */
    lessonsDone: (done, all) => `${done} of ${counted(all, 'lesson')} done`,
    /** @param {string} why */
    notLoaded: (why) => `The puzzle cannot be loaded: ${why}`,
    noList: 'The list of puzzles is not there.',
    another: 'Another puzzle. The last one is kept where it was.',
    isSolved: 'Solved.',
    isShown: 'The solution is on the board.',
    noHint: 'There is no hint here; the solution shows all.',
    noSolution: 'The file has no solution here.',
    toAuthor: 'Back to Author',
    notYet: 'It cannot be tried before its faults are mended.',
    noTrial: 'In a helpmate both sides play together: it cannot be tried here.',
    /** @param {string[]} themes */
    themes: (themes) => `Its themes: ${themes.join(', ')}.`,
    /** @param {string} piece in White's colour @param {string} from @param {string} board */
    moves: (piece, from, board) => `The ${PIECES[piece] ?? piece} on ${from} of the board ${board} moves.`,
    /** @param {string} piece in White's colour @param {string} to @param {string} board empty if it is the same */
    goes: (piece, to, board) => `The ${PIECES[piece] ?? piece} goes to ${to}${board ? ` on the board ${board}` : ''}.`,
    /** @param {string} action */
    play: (action) => `Play ${action}.`,
    /** @param {string[]} actions */
    solutionIs: (actions) => `The solution: ${actions.join(', ')}`,
    /** @param {string} action @param {string} reply */
    refutation: (action, reply) => (reply ? `After ${action} the answer is ${reply}, and the aim is out of reach.` : `After ${action} there is no legal action and no check: stalemate.`),
  },

  author: {
    about: 'Makes a puzzle from the position on the board. Set it up under Setup, or play to it. If the goal is a defence, the defender is to move.',
    title: 'Title',
    author: 'Author',
    newPuzzle: 'A new puzzle',
    goal: 'Goal',
    mateIn: 'mates in',
    noMateIn: 'has no mate in',
    survive: 'is not mated in',
    onlyDefence: 'has one action that is not mated in',
    status: 'is: checkmate, stalemate or softmate',
    actions: 'Actions',
    make: 'Prove and make the puzzle',
    tryIt: 'Try it',
    save: 'Save',
    mine: 'My puzzles',
    forgotten: 'The puzzle is gone from this browser.',
    /** @param {string} name of the file */
    saved: (name) => `${name} is saved: it is among your downloads.`,
    /** @param {string} name of the file @param {string} why empty as long as that is looked for */
    savedUnproved: (name, why) => `${name} is saved. It has not passed yet${why && `: ${why.charAt(0).toLowerCase()}${why.slice(1)}`}.`,
    nothing: 'There is no puzzle yet.',
    open: 'Open a file',
    details: 'Details',
    file: 'Puzzle file',
    findings: 'What is wrong',
    verifying: 'Verifying …',
    /** @type {Record<string, string>} */
    verdicts: { pass: 'Proved: all that the file says is true.', undecided: 'Not decided within the search steps.', skipped: 'Nothing was proved.' },
    /** What is proved, by the goal. @type {Record<string, (mover: string, value: number | string, key?: string, others?: string) => string>} */
    proved: {
      mateIn: (mover, value, key, others) => `Proved: ${mover} mates in ${inWords(value)}${key ? `, with ${key}${others || ' alone'}` : ''}.`,
      noMateIn: (mover, value) => `Proved: ${mover} has no mate in ${inWords(value)}.`,
      selfmateIn: (mover, value) => `Proved: ${mover} makes the opponent mate in ${inWords(value)}.`,
      helpmateIn: (_mover, value) => `Proved: there is a helpmate in ${inWords(value)}.`,
      survive: (mover, value) => `Proved: ${mover} can avoid mate in ${inWords(value)}.`,
      onlyDefence: (mover, value, key) => `Proved: one action alone saves ${mover} from mate in ${inWords(value)}${key ? `: ${key}` : ''}.`,
      status: (_mover, value) => `Proved: ${ANSWERS[value] ?? value}.`,
    },
    /** @param {number} line */
    fails: (line) => `Not all that the file says is true: see line ${line}.`,
    /** @param {number} line */
    unreadable: (line) => `The file cannot be read: see line ${line}.`,
    /** Codes of what is wrong, and what they mean. @type {Record<string, string>} */
    faults: { 'unlisted-key': 'Other actions mate too. A puzzle should have one.', 'no-such-mate': 'There is no such mate.', 'no-mate': 'The solution does not mate.' },
    /** @param {number} count @param {boolean} all whether there are no others @param {number} mateIn @param {string[]} named @param {number} others @param {boolean} kinds whether they stand for more actions, which differ only where anything may be played */
    severalKeys: (count, all, mateIn, named, others, kinds) => `${all ? capital(inWords(count)) : `At least ${inWords(count)}`} ${kinds ? 'kinds of actions' : 'actions'} mate${mateIn > 1 ? ` in ${inWords(mateIn)}` : ''}: ${andMore(named, others)}. A puzzle should have one.`,
    /** @param {string} player @param {string} letter of the piece in White's colour @param {string} square */
    capturable: (player, letter, square) => `${player} can capture the ${PIECES[letter] ?? letter} on ${square} at once.`,
    /** @param {string[]} steps */
    lookedAt: (steps) => `Looked at: ${steps.join(', ')}.`,
    goesOn: 'The game goes on here: there is nothing to find out.',
    /** @param {number} mateIn @param {string} key */
    isMate: (mateIn, key) => `There is a mate in ${mateIn}: ${key}.`,
    /** @param {number} mateIn @param {number} asked */
    sooner: (mateIn, asked) => `It is mate in ${mateIn} already, not only in ${asked}.`,
    /** @param {number} mateIn */
    noMate: (mateIn) => `There is no mate in ${mateIn}.`,
    notKnown: 'Not known within the search steps.',
    /** @param {number} mateIn */
    allMated: (mateIn) => `Every action is mated in ${mateIn}.`,
    /** @param {string[]} named @param {boolean} more */
    notAlone: (named, more) => `More than one action defends: ${named.join(', ')}${more ? ' …' : ''}.`,
    /** @param {number} mateIn */
    noneMated: (mateIn) => `No action is mated in ${mateIn}: there is nothing to avoid.`,
    looking: 'Looking for the answer …',
    made: 'The new puzzle has replaced the last one.',
    opened: 'The position of the puzzle is on the board. The last game is kept.',
    fileOpen: 'The file is open.',
  },

  setup: {
    about: 'Drag pieces to squares, or choose one and press on squares. Off the board, a piece is gone. Your game stays as it is.',
    piece: 'Piece to place',
    clear: 'clear',
    unmoved: 'has never moved',
    files: 'Files',
    ranks: 'Ranks',
    promotions: 'Promotions',
    emptyBoard: 'Empty board',
    fromGame: 'From the game',
    timeline: 'Timeline',
    turn: 'Turn',
    of: 'Side to move',
    next: 'Board to add or to remove',
    add: 'Add board',
    copy: 'Copy last board',
    remove: 'Remove board',
    fen: 'Boards as 5DFEN',
    play: 'Play from here',
    noBoard: 'There is no board yet.',
    emptied: 'The setup begins again with an empty board and the usual promotions.',
    taken: 'The boards of the game were copied.',
    removed: 'The board was removed.',
    resized: 'All boards have the new size. Pieces outside are gone.',
    opened: 'The position is on the board. The last game is kept.',
  },

  text: {
    notation: 'Notation',
    game: 'Game',
    import: 'Import',
    export: 'Export',
    open: 'Open file',
    save: 'Save file',
    svg: 'Picture, SVG',
    png: 'Picture, PNG',
    copy: 'Copy',
    embed: 'Copy embed code',
    whole: '5DPGN with comments and variations',
    letters: 'The boards as letters',
    anew: 'The text was written anew.',
    /** @param {string} notation @param {number} letters */
    written: (notation, letters) => `The game as ${notation}, ${counted(letters, 'character')}.`,
    /** @param {string} variant */
    noName: (variant) => ` It has the boards of “${variant}” and no name: other programs have other boards by that name, or do not know it.`,
    /** @param {number} letters */
    copied: (letters) => `Copied: ${counted(letters, 'character')}.`,
    notCopied: 'The browser does not allow that. The text is selected: copy it by the keyboard.',
    paste: 'Paste and open',
    notPasted: 'The browser does not let this page read the clipboard. Paste the text into the field below.',
    nothingToPaste: 'There is no text in the clipboard.',
    variations: 'variations',
    comments: 'comments',
    glyphs: 'glyphs',
    drawings: 'arrows and circles',
    chess: 'This is chess on one board: it knows no travel through time, so what was mate there need not be mate here, where the game can go on.',
    forReading: 'For reading: it has no actions, and cannot be imported.',
    puzzleOpened: 'The game of the puzzle is on the board. The last game is kept.',
    opened: 'The game is on the board. The last one is kept.',
    /** @param {number} actions @param {string[]} losses */
    read: (actions, losses) => `Read ${counted(actions, 'action')}.${lost(losses)}`,
    frameTitle: 'A game of 5D chess',
    frameCopied: 'The code is copied: paste it into the source of a page.',
    frameAbove: 'The code is above: paste it into the source of a page.',
  },

  moves: {
    name: 'Actions',
    list: 'List of actions',
    steps: 'Go through the game',
    start: 'Start',
    back: 'One action back',
    on: 'One action on',
    end: 'End of the line',
    note: 'Notes',
    noteAbout: 'Comment, glyphs and line',
    /** @param {string} action */
    noteOn: (action) => `On ${action}`,
    noteStart: 'On the start',
    glyphs: 'Glyphs',
    title: 'Title',
    comment: 'Comment',
    promote: 'Make main line',
    copy: 'Copy line',
    copyAll: 'Copy all',
    copiedAll: 'The whole game is copied as 5DPGN, with variations, comments and arrows.',
    draw: 'Draw arrows',
    study: 'Make a study',
    studyText: 'Go to a position in the list and play another action: it becomes a variation. “Notes” beneath the list has a title for the game, a comment and glyphs for the action on the board, and makes a variation the main line. All of it is kept with the game.',
    delete: 'Delete from here',
    move: 'Move',
    /** The field for moves, while it is empty. */
    moveAs: 'Move: Nf3',
    /** The same, once an action can be submitted. */
    enter: 'Enter: submit',
    moveHelp: 'A move, or several with their boards. Enter makes them; Enter once more submits the action.',
    none: 'No action yet. Make a move on each board with a frame, and submit.',
    signsMean: 'What the signs in the list mean',
    /** In the order in which they are told. @type {Record<string, string>} */
    signs: { '>>': 'into the past, where a new timeline begins', '>': 'to another board of now', '*': 'softmate: only travel into the past helps', '#': 'mate', '+': 'check' },
    gone: 'The actions from here on are gone.',
    copied: 'The line is copied as 5DPGN.',
    notCopied: 'The browser does not allow that. The line is under Text.',
  },

  settings: {
    language: 'Language',
    asSystem: 'same as system',
    asBrowser: 'same as browser',
    colours: 'Colours',
    light: 'light',
    dark: 'dark',
    boards: 'Boards',
    slate: 'slate',
    wood: 'wood',
    green: 'green',
    pieces: 'Pieces',
    figures: 'figures',
    letters: 'letters of the notation',
    sounds: 'Sounds',
    motion: 'Animation',
    movable: 'Mark pieces that can move',
    atOnce: 'In games: submit when no board is left to play',
    answerAtOnce: 'In puzzles: submit when no board is left to play',
  },

  help: {
    rules: 'How it is played',
    time: 'Time runs to the right, timelines lie below each other. A board with a solid frame must be played, one with a dashed frame may be. Make a move on each, then submit the action.',
    travel: 'A piece can go to another board as it goes to another square: a knight two steps along the board and one turn into the past. Whoever moves into the past begins a new timeline.',
    inactive: 'Timelines that a player has begun beyond one more than the opponent are inactive: they may be played, but need not, and the present does not wait for them. They become active when the opponent begins one.',
    edge: 'A triangle at the edge of the picture points to a board out of sight: a gold one to a board that must be played, a purple one to another board that the last action made, a green one to a board that the chosen piece can reach. Press it to go there. A small green corner marks a piece that can move, where few can.',
    signs: 'In the list of actions',
    boardName: 'timeline 0, turn 1, White to move there. In the list it is left out where only one board can be meant.',
    loss: 'The game is lost by whoever cannot save every king, on every board of the past and of now. Who is not in check and has no action is stalemated: a draw.',
    study: 'A study is made under Analyse: another action at an earlier position is a variation. Notes, beneath the list, has comments, glyphs and “Make main line”; “Copy all” gives everything as text.',
    evaluation: 'Evaluation',
    pawns: 'White is better by so many pawns; with − Black is. It counts for White whoever is to move.',
    mates: 'White mates in 3 actions, proved; with − Black does. A # alone is a mate on the board.',
    likely: 'White probably mates, not proved; with − Black. “Mate in” with “Prove” looks for the proof.',
    depthSign: 'Depth 5',
    depth: 'The engine has looked 5 actions of both players ahead. A deeper look may judge otherwise.',
    drawing: 'Drag with the right button to draw an arrow; with Shift it is red, with Alt blue. The button with the pencil lets a finger draw, in a colour of your choice.',
    tour: 'Show the tour again',
    pieces: 'The pieces',
    coordinates: 'Every square has four coordinates: file, rank, turn and timeline. A piece moves along all of them in the same way. Rook, bishop, unicorn, dragon, princess and queen go as far as the way is free.',
    piece: 'Piece',
    letter: 'Letter',
    how: 'How it moves',
    /** How pieces move, by their letters. @type {Record<string, string>} */
    moves: {
      K: 'One step in any direction of a queen. It is royal: it must not be captured.',
      Q: 'Changes one, two, three or all of file, rank, turn and timeline, by the same amount.',
      R: 'Changes one of file, rank, turn and timeline, by any amount.',
      B: 'Changes two of file, rank, turn and timeline, by the same amount.',
      N: 'Leaps two along one of file, rank, turn and timeline, and one along another, over anything.',
      P: 'One step along ranks or timelines towards the opponent, at first also two. Captures one file and one rank ahead, or one timeline and one turn.',
      S: 'Moves as a rook or a bishop.',
      U: 'Changes three of file, rank, turn and timeline, by the same amount: it always goes to another board.',
      D: 'Changes file, rank, turn and timeline, all by the same amount: it always goes to another board.',
      Y: 'Moves as a queen. It is royal: it must not be captured.',
      C: 'Moves as a king, but never castles. It is not royal: it may be captured.',
      W: 'Moves as a pawn. Captures one step ahead, along ranks or timelines, together with one step along any other coordinate.',
    },
    keys: 'Keys',
    backAndOn: 'one action back, on',
    variation: 'other variation',
    ends: 'start, end of the line',
    submit: 'submit',
    undo: 'undo',
    type: 'type moves; Enter makes them, Enter once more submits',
    zoom: 'larger, smaller, whole, near',
    turn: 'flip board',
    pass: 'boards after a pass',
    clear: 'clear drawings',
    squares: 'go over squares by keys: next board',
    reach: 'next, previous square that can be reached',
    read: 'read the board, the last action, the checks',
    choose: 'choose',
    letGo: 'let go',
  },

  tour: {
    name: 'First steps',
    skip: 'Skip',
    next: 'Next',
    begin: 'Begin',
    /** @param {number} step @param {number} all */
    step: (step, all) => `${step} of ${all}`,
    time: 'Chess with time',
    timeText: 'Time runs to the right. The board with the gold frame is the present: a move there makes the next board.',
    fingers: 'Looking around',
    fingersText: 'The board is large, so that you can hit its squares. Pinch to zoom out, drag beside the pieces to move, or tap the strip under the board: it is the whole multiverse, with its past.',
    travel: 'Through time',
    travelText: 'Drag a piece, or press it and then a square. Green marks show where it can go, also on boards of the past: whoever goes there begins a new timeline, below or above.',
    action: 'Moves make an action',
    actionText: 'Make a move on every board with a solid frame. Then submit, and the opponent is to move. What is missing stands beside the button.',
    puzzles: 'Puzzles and proofs',
    puzzlesText: 'Begin with the lessons under Puzzles, let the engine play, or ask Analyse for every mate and why it is one. Whatever you open, your game is kept.',
    more: 'More',
    moreText: 'The question mark has the rules in short and all keys. Enjoy.',
  },

  result: {
    /** @param {string} winner */
    won: (winner) => `${winner} has won`,
    draw: 'A draw',
    /** @param {string} loser */
    checkmate: (loser) => `Checkmate. ${loser} cannot save the king.`,
    /** @param {string} check @param {number} others */
    checkmateBy: (check, others) => `Checkmate: ${check}${others > 0 ? `, and ${others} more` : ''}. No action saves all kings.`,
    /** @param {string} player */
    stalemate: (player) => `Stalemate: ${player} is not in check and has no action.`,
    /** @param {string} loser */
    resigned: (loser) => `${loser} has resigned.`,
    /** @param {string} loser */
    timed: (loser) => `${loser} has lost on time.`,
    agreed: 'Draw by agreement.',
    drawn: 'The game was drawn here.',
    /** @param {string} loser */
    lost: (loser) => `${loser} lost here, by resignation or on time.`,
    show: 'Show the end',
    review: 'Review',
  },

  embed: {
    title: 'A game of 5D chess',
    noScript: 'The game needs JavaScript to be shown.',
    noGame: 'The address holds no game.',
    /** @param {string} why */
    failed: (why) => `The game cannot be shown: ${why}`,
  },

  errors: {
    damaged: 'it is damaged',
    /** @param {number} most */
    longLink: (most) => `it has more than ${most} letters, and no game is that long`,
    /** @param {number} most */
    longGame: (most) => `its game has more than ${most} bytes, and no game is that long`,
    /** @param {string} name @param {number} size @param {number} most */
    longFile: (name, size, most) => `${name} has ${size} bytes, and no game has more than ${most}`,
    noWorker: 'its program could not be loaded',
    noPicture: 'the browser makes no picture',
    /** @param {number} status */
    status: (status) => `status ${status}`,
  },
};
