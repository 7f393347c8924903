// A program that was written for 5d-chess-js. It gets the class and says what it sees; only the line that imports it changes.

export function page(Chess) {
  const seen = [];
  const chess = new Chess();
  for (const move of ['e3', 'f6', 'Qe2', 'Nc6']) {
    seen.push(chess.moves('5dpgn').split('\n').length, chess.moveable(move));
    chess.move(move);
    seen.push(chess.moveBuffer.length, chess.undoable(), chess.submittable());
    chess.submit();
  }
  seen.push(chess.export('5dpgn'), chess.hash, chess.player, chess.actionNumber);
  // A bot: the first action that mates.
  const before = chess.export();
  const winning = chess.moves().find((move) => {
    const copy = chess.copy();
    copy.move(move);
    copy.submit();
    return copy.inCheckmate;
  });
  seen.push(winning, chess.export() === before);
  chess.action([winning]);
  seen.push(chess.inCheck, chess.inCheckmate, chess.inStalemate, chess.moves(), chess.submittable());
  seen.push(chess.checks('object').map((move) => [move.start.coordinate, move.end.coordinate, move.end.turn]));

  const travel = '1. e3 / f6\n2. (0T2)Nb1>>(0T1)b3~ / (1T1)a6\n3. (1T2)c3 / (0T2)Nc6 (1T2)Nc6\n4. (0T3)Qh5 (1T3)Qc2';
  const again = new Chess();
  again.import(travel);
  seen.push(again.export(), again.hash, again.inCheck, again.inCheckmate, again.board, again.actionHistory);
  seen.push(again.rawBoard, again.rawAction, again.rawActionHistory, again.rawPromotionPieces, again.fen(), again.fen(null, true));
  seen.push(again.moves('json', false, false).length > 0, JSON.parse(again.export('json')).length, again.boardHistory.length);
  const other = new Chess();
  other.import(again.export('raw'));
  seen.push(other.hash === again.hash);
  other.reset('turn_zero');
  other.move('Nf3');
  other.undo();
  seen.push(other.board, other.metadata.board, other.fen(null, true));
  const drawn = again.print().split('\n').slice(2);
  seen.push(drawn.filter((line) => line.trim()).map((line) => line.replaceAll('.', ' ')));
  return seen;
}
