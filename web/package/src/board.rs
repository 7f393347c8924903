//! Functions for a board on a screen: the places of everything, the moves of a square, an opponent. Begin at
//! [`Chess::scene`].

use std::fmt::Write;

use wasm_bindgen::prelude::wasm_bindgen;
use worldlines::chessjs::{self, Edition};
use worldlines::engine::{Question, Score, think as search};
use worldlines::notation::pgn5d;
use worldlines::render::{self, Arrow, ArrowKind, Duty, Layout, Marks, Options};
use worldlines::review::{Grade, expectation};
use worldlines::rules::PartialAction;
use worldlines::types::{Coordinate, Limit, Move, PieceKind, Square};

use crate::chess::{Chess, list};
use crate::fault::{Fault, write_string};
use crate::trees::record_of;

/// The bytes of memory of an opponent.
const MEMORY: u64 = 64 << 20;
/// The search steps for explaining why no action is legal: about a second.
const REASONING: u64 = 200_000;

fn quoted(text: &str) -> String {
    let mut json = String::new();
    write_string(&mut json, text);
    json
}

/// `[file,rank]`.
fn square_json(square: Square) -> String {
    format!("[{},{}]", square.file(), square.rank())
}

/// `{"timeline","halfTurn","square"}`.
fn place(at: Coordinate) -> String {
    let board = at.board;
    format!(
        "{{\"timeline\":{},\"halfTurn\":{},\"square\":{}}}",
        board.timeline.0,
        board.half_turn.0,
        square_json(at.square)
    )
}

fn move_json(m: &Move) -> String {
    let promotion = m.promotion.map_or("null".to_owned(), |kind| format!("\"{}\"", kind.letter()));
    format!(
        "{{\"id\":{},\"from\":{},\"to\":{},\"promotion\":{promotion}}}",
        quoted(&m.to_string()),
        place(m.from),
        place(m.to)
    )
}

/// The kinds of pieces: `{"letter","name","body","lines","eye"}`, as paths of SVG in a square of 60 units.
#[wasm_bindgen]
pub fn pieces() -> String {
    list(PieceKind::ALL.into_iter().map(|kind| {
        let drawing = render::drawing(kind);
        let eye = drawing.eye.map_or("null".to_owned(), |(x, y, radius)| {
            let tenths = |length: i32| f64::from(length) / 10.0;
            format!("[{},{},{}]", tenths(x), tenths(y), tenths(radius))
        });
        format!(
            "{{\"letter\":\"{}\",\"name\":\"{}\",\"body\":\"{}\",\"lines\":\"{}\",\"eye\":{eye}}}",
            kind.letter(),
            kind.name(),
            drawing.body,
            drawing.lines
        )
    }))
}

/// The colours of pictures, as CSS.
#[wasm_bindgen(js_name = pictureStyle)]
pub fn picture_style() -> String {
    render::STYLE.to_owned()
}

/// The marks of a game, with the moves of the current action.
fn marks(game: &chessjs::Chess, checks: bool) -> Marks {
    let moves = game.under_way().moves();
    // After a pass there is no game without null moves, so some marks are missing.
    let mut marks = game.game().map(|game| Marks::of_game(&game)).unwrap_or_default();
    if !moves.is_empty() {
        marks.arrows.clear();
        marks.touched.clear();
        marks.made(game.position(), moves);
    } else if checks {
        marks.checks(&game.position().checks());
    }
    marks
}

fn layout(game: &chessjs::Chess, flipped: bool, checks: bool, planned: &str) -> Layout {
    let mut marks = marks(game, checks);
    match pgn5d::parse_action(game.position(), planned) {
        Ok(action) => marks.planned(&action),
        // An illegal action is drawn too, as far as its moves can be made: the list of reasons has such
        // actions.
        Err(_) => {
            let mut tried = PartialAction::new(game.position().clone());
            for text in planned.split_whitespace() {
                let found =
                    tried.pseudo_legal_moves().into_iter().find(|m| pgn5d::move_text(&tried, m) == text);
                let Some(m) = found.filter(|m| tried.push(*m).is_ok()) else { break };
                marks.arrows.push(Arrow { kind: ArrowKind::Planned, from: m.from, to: m.to });
            }
        }
    }
    Layout::new(game.now(), &marks, Options { flipped, ..Options::default() })
}

/// The score of a number of pawns or of a mate.
fn score_of(pawns: Option<f64>, mate: Option<i32>) -> Score {
    mate.map_or_else(|| Score::Pawns((pawns.unwrap_or_default() * 100.0).round() as i32), Score::Mate)
}

/// The expected result of the player with this score, from 0 to 100.
#[wasm_bindgen(js_name = winChance)]
pub fn win_chance(pawns: Option<f64>, mate: Option<i32>) -> f64 {
    expectation(score_of(pawns, mate))
}

/// Whether a score stands for a mate that the engine has found and not proved.
#[wasm_bindgen(js_name = isLikelyMate)]
pub fn is_likely_mate(pawns: Option<f64>, mate: Option<i32>) -> bool {
    score_of(pawns, mate).is_likely_mate()
}

/// The least points of the chance to win that a mistake takes, by its name.
#[wasm_bindgen(js_name = gradeLimits)]
pub fn grade_limits() -> String {
    let grades = Grade::falls().map(|(grade, least)| format!("\"{}\":{least}", grade.name()));
    format!("{{{}}}", grades.join(","))
}

/// The size of the mistake that leads from one score of a player to another: `blunder`, `mistake`, `inaccuracy`, or nothing.
#[wasm_bindgen(js_name = gradeOf)]
pub fn grade_of(
    pawns: Option<f64>,
    mate: Option<i32>,
    after_pawns: Option<f64>,
    after_mate: Option<i32>,
) -> Option<String> {
    Grade::of(score_of(pawns, mate), score_of(after_pawns, after_mate)).map(|grade| grade.name().to_owned())
}

#[wasm_bindgen(js_class = Game)]
impl Chess {
    /// The scene: see `Scene` in `index.d.ts`. `planned` is an action that could be played, or empty.
    pub fn scene(&self, flipped: bool, checks: bool, planned: &str) -> String {
        let layout = layout(self.game(), flipped, checks, planned);
        let tiles = layout.tiles.iter().map(|tile| {
            let (width, height) = (layout.size.width(), layout.size.height());
            let mut letters = vec!['.'; usize::from(width) * usize::from(height)];
            for &(square, piece) in &tile.pieces {
                letters[usize::from(square.rank()) * usize::from(width) + usize::from(square.file())] =
                    piece.letter();
            }
            let squares = |squares: &[Square]| list(squares.iter().map(|square| square_json(*square)));
            format!(
                "{{\"timeline\":{},\"halfTurn\":{},\"label\":{},\"x\":{},\"y\":{},\"white\":{},\"duty\":\"{}\",\"active\":{},\
                 \"pieces\":\"{}\",\"touched\":{},\"threatened\":{}}}",
                tile.at.timeline.0,
                tile.at.half_turn.0,
                quoted(&tile.label),
                tile.area.x,
                tile.area.y,
                tile.at.color().index() == 0,
                match tile.duty {
                    Duty::Must => "must",
                    Duty::May => "may",
                    Duty::None => "none",
                },
                tile.active,
                letters.iter().collect::<String>(),
                squares(&tile.touched),
                squares(&tile.threatened)
            )
        });
        let rows = layout.rows.iter().map(|row| {
            format!(
                "{{\"label\":{},\"active\":{},\"path\":\"{}\",\"labelX\":{},\"labelY\":{}}}",
                quoted(&row.label),
                row.active,
                row.path,
                row.label_at.x,
                row.label_at.y
            )
        });
        let arrows = layout.arrows.iter().map(|drawn| {
            let kind = match drawn.arrow.kind {
                ArrowKind::Made => "made",
                ArrowKind::Check => "check",
                ArrowKind::Planned => "planned",
            };
            format!(
                "{{\"kind\":\"{kind}\",\"shaft\":\"{}\",\"head\":\"{}\"}}",
                drawn.shape.shaft, drawn.shape.head
            )
        });
        let area = layout.present_area;
        let mut json = format!(
            "{{\"width\":{},\"height\":{},\"files\":{},\"ranks\":{},\"flipped\":{flipped},\"square\":{},\"frame\":{},\"shaft\":{}",
            layout.width,
            layout.height,
            layout.size.width(),
            layout.size.height(),
            render::SQUARE,
            render::FRAME,
            render::SHAFT
        );
        // Writing to a string cannot fail.
        let _ = write!(
            json,
            ",\"toMove\":\"{}\",\"present\":\"{}\",\"presentArea\":[{},{},{},{}],\"about\":{},\"rows\":{},\"tiles\":{},\"arrows\":{}}}",
            layout.to_move,
            layout.present,
            area.x,
            area.y,
            area.width,
            area.height,
            quoted(&layout.describe()),
            list(rows),
            list(tiles),
            list(arrows)
        );
        json
    }

    /// The picture as SVG.
    pub fn picture(&self, flipped: bool, planned: &str) -> String {
        render::svg(&layout(self.game(), flipped, true, planned))
    }

    /// The moves of a board that can be made next: `{"moves":[{"id","from","to","promotion"}],"legal"}`. If
    /// `legal` is true, each of them leads to a legal action. If the steps do not suffice to know that, they
    /// are the pseudo-legal moves.
    #[wasm_bindgen(js_name = movesFrom)]
    pub fn moves_from(&self, timeline: i16, half_turn: i16, steps: f64) -> String {
        let under_way = self.game().under_way();
        let found = under_way
            .playable_boards()
            .find(|at| at.timeline.0 == timeline && at.half_turn.0 == half_turn)
            .map(|at| (at, under_way.legal_moves_from_within(at, steps as u64)));
        let (moves, legal) = match found {
            None => (Vec::new(), true),
            Some((_, Ok(moves))) => (moves, true),
            Some((at, Err(_))) => {
                let mut moves = Vec::new();
                self.game().now().pseudo_legal_moves_from(at, &mut moves);
                (moves, false)
            }
        };
        format!("{{\"moves\":{},\"legal\":{legal}}}", list(moves.iter().map(move_json)))
    }

    /// Makes a move that [`Chess::moves_from`] has listed, by its id.
    #[wasm_bindgen(js_name = makeMove)]
    pub fn make_move(&mut self, id: &str) -> Result<(), Fault> {
        let m: Move =
            id.parse().map_err(|_| Fault::new("no-such-move", &format!("`{id}` is no move"), None))?;
        let under_way = self.game().under_way();
        if !under_way.pseudo_legal_moves().contains(&m) {
            return Err(Fault::new("no-such-move", &format!("{id} cannot be made now"), None));
        }
        let text = pgn5d::move_text(under_way, &m);
        self.make(&text)
    }

    /// The moves of the current action as 5DPGN, a list.
    #[wasm_bindgen(js_name = movesMade)]
    pub fn moves_made(&self) -> String {
        let mut under_way = PartialAction::new(self.game().position().clone());
        let mut texts = Vec::new();
        for m in self.game().under_way().moves() {
            texts.push(quoted(&pgn5d::move_text(&under_way, m)));
            if under_way.push(*m).is_err() {
                break;
            }
        }
        list(texts.into_iter())
    }

    /// The actions of the game as 5DPGN, a list.
    #[wasm_bindgen(js_name = actionsPlayed)]
    pub fn actions_played(&self) -> Result<String, Fault> {
        let game = self.game().game().map_err(|error| Fault::of(&error, ""))?;
        let mut position = game.start.clone();
        let text = |action| {
            let text = pgn5d::action_text(&position, action);
            let played = position.play(action);
            debug_assert!(played.is_ok(), "the actions of a game are legal");
            quoted(&text)
        };
        Ok(list(game.actions.iter().map(text)))
    }

    /// The marks of the actions of the game, a list: `+`, `*` or `#` for check, softmate and checkmate, or nothing.
    pub fn marks(&self) -> Result<String, Fault> {
        let game = self.game().game().map_err(|error| Fault::of(&error, ""))?;
        let mut position = game.start.clone();
        let mark = |action| {
            let played = position.play(action);
            debug_assert!(played.is_ok(), "the actions of a game are legal");
            quoted(pgn5d::check_mark(&position))
        };
        Ok(list(game.actions.iter().map(mark)))
    }

    /// The game after this many of its actions.
    pub fn until(&self, actions: usize) -> Result<Chess, Fault> {
        let game = self.game().game().map_err(|error| Fault::of(&error, ""))?;
        Ok(Chess::from(chessjs::Chess::of(Edition::Current, &game.until(actions))))
    }

    /// The whole game as 5DPGN, which this package reads as the same game; with marks of check and mate if they are asked for.
    pub fn record(&self, marked: bool) -> Result<String, Fault> {
        let game = self.game().game().map_err(|error| Fault::of(&error, ""))?;
        Ok(record_of(&game, if marked { pgn5d::Marks::Check } else { pgn5d::Marks::None }))
    }

    /// The reason why the current action cannot be submitted, or nothing if it can.
    #[wasm_bindgen(js_name = whyNot)]
    pub fn why_not(&self) -> Option<String> {
        self.game().under_way().can_submit().err().map(|error| error.to_string())
    }

    /// A move that captures a royal piece at once: `{"id","from","to","promotion"}`, or nothing if there is none, as in every game that was played by the
    /// rules.
    #[wasm_bindgen(js_name = royalCapture)]
    pub fn royal_capture(&self) -> Option<String> {
        worldlines::puzzle::royal_capture(self.game().position()).as_ref().map(move_json)
    }

    /// The reasons why the player has no legal action, as far as they apply:
    /// `{"checks","reasons":[{"count","why","example"}],"all"}`, from the beginning of the action. A reason
    /// counts whole actions. `all` is true if everything was tried and every reason is listed.
    pub fn why(&self) -> String {
        let position = self.game().position();
        let render::why::Reasons { told: reasons, all, .. } =
            render::why::reasons(position, REASONING, MEMORY);
        let checks = render::why::checks(position);
        let reasons = reasons.iter().map(|reason| {
            let (why, example) = (quoted(&reason.why), quoted(&reason.example));
            format!("{{\"count\":{},\"why\":{why},\"example\":{example}}}", reason.count)
        });
        format!(
            "{{\"checks\":{},\"reasons\":{},\"all\":{all}}}",
            list(checks.iter().map(|check| quoted(check))),
            list(reasons)
        )
    }

    /// The action that the engine plays: `{"action","score","depth","steps","line","ending"}`, from the
    /// beginning of the current action.
    pub fn think(&self, steps: f64, seed: f64) -> String {
        let position = self.game().position();
        let question = Question { seed: seed as u64, memory: MEMORY, ..Question::new(position.clone()) };
        let thought = search(&question, Limit::steps(steps as u64), &mut |_| ());
        let score = match thought.score {
            None => "null".to_owned(),
            Some(Score::Pawns(score)) => format!("{{\"pawns\":{}}}", f64::from(score) / 100.0),
            Some(Score::Mate(count)) => format!("{{\"mate\":{count}}}"),
        };
        let action = thought
            .best
            .as_ref()
            .map_or("null".to_owned(), |best| quoted(&pgn5d::action_text(position, best)));
        let mut after = position.clone();
        let line = thought.line.iter().map_while(|action| {
            let text = quoted(&pgn5d::action_text(&after, action));
            after.play(action).ok().map(|_| text)
        });
        let line = list(line);
        let ending = thought.ending.map_or("null".to_owned(), |ending| quoted(&ending.to_string()));
        format!(
            "{{\"action\":{action},\"score\":{score},\"depth\":{},\"steps\":{},\"line\":{line},\"ending\":{ending}}}",
            thought.depth, thought.steps
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Chess {
        Chess::read(false, text, None).ok().unwrap()
    }

    #[test]
    fn marks_and_mistakes_are_those_of_the_library() {
        assert_eq!(
            game("1. e3 / f6 2. Qe2 / Nc6 3. Qh5").marks().ok().unwrap(),
            "[\"\",\"\",\"\",\"\",\"#\"]"
        );
        assert!(game("1. e3 / f6 2. Qe2 / Nc6 3. Qh5").record(true).ok().unwrap().contains("Qe2h5#"));
        assert_eq!(grade_limits(), "{\"blunder\":15,\"mistake\":10,\"inaccuracy\":5}");
        assert_eq!([Some(-199.96), Some(30.0)].map(|pawns| is_likely_mate(pawns, None)), [true, false]);
        assert_eq!(win_chance(Some(0.0), None), 50.0);
        assert_eq!([win_chance(None, Some(2)), win_chance(None, Some(0))], [100.0, 0.0]);
        assert_eq!(grade_of(Some(0.5), None, Some(-3.0), None).as_deref(), Some("blunder"));
        // Who is winning anyway hardly loses anything with some pawns.
        assert_eq!(grade_of(Some(14.0), None, Some(11.0), None), None);
    }

    #[test]
    fn a_king_that_can_be_captured_is_noticed() {
        let odd = game("[Board \"custom\"]\n[4/2K1/k3/3Q:0:1:w]\n");
        assert_eq!(odd.royal_capture(), None);
        let odd = game("[Board \"custom\"]\n[3k/2K1/4/3Q:0:1:w]\n");
        assert!(odd.royal_capture().is_some_and(|capture| capture.contains("\"square\":[3,3]")));
        assert_eq!(game("1. e4 / e5").royal_capture(), None);
    }

    #[test]
    fn a_board_is_played_by_its_squares() {
        let mut chess = game("1. e3 / f6 2. Qe2 / Nc6");
        let moves = chess.moves_from(0, 6, 1e6);
        assert!(moves.contains("\"id\":\"(0T3w)e2h5\"") && moves.ends_with("\"legal\":true}"), "{moves}");
        assert!(chess.moves_from(0, 6, 1.0).ends_with("\"legal\":false}"));
        assert_eq!(chess.moves_from(0, 5, 1e6), "{\"moves\":[],\"legal\":true}");
        assert!(chess.make_move("(0T3w)e2e8").is_err() && chess.make_move("x").is_err());
        assert!(chess.why_not().is_some());
        assert!(chess.make_move("(0T3w)e2h5").is_ok() && chess.why_not().is_none());
        assert_eq!(chess.moves_made(), "[\"(0T3)Qe2h5\"]");
        assert!(chess.submit().is_ok());
        assert!(chess.actions_played().ok().unwrap().contains("\"(0T3)Qe2h5"));
        let scene = chess.scene(false, true, "");
        assert!(scene.contains("\"threatened\":[[4,7]]") && scene.contains("\"kind\":\"check\""), "{scene}");
        assert!(chess.picture(true, "").starts_with("<svg "));
        let tried = chess.scene(false, true, "(0T3)g7g6");
        assert!(
            tried.contains("\"kind\":\"planned\"")
                && !chess.scene(false, true, "(0T3)g7g2").contains("planned")
        );
        let why = chess.why();
        assert!(
            why.starts_with("{\"checks\":[\"white queen")
                && why.contains("\"count\":27,\"why\":\"still in check from the queen (0T3b)h5"),
            "{why}"
        );
        let earlier = chess.until(2).ok().unwrap();
        assert!(earlier.game().action_count() == 2 && earlier.record(false).ok().unwrap().contains("1."));
    }

    #[test]
    fn the_engine_mates() {
        let thought = game("1. e3 / f6 2. Qe2 / Nc6").think(20_000.0, 0.0);
        assert!(thought.starts_with("{\"action\":\"(0T3)Qe2h5\",\"score\":{\"mate\":1}"), "{thought}");
        let over = game("1. e3 / f6 2. Qe2 / Nc6 3. Qh5").think(20_000.0, 0.0);
        assert!(over.contains("\"action\":null") && over.contains("\"ending\":\"checkmate\""), "{over}");
        assert!(pieces().contains("\"name\":\"royal queen\""));
    }
}
