const field = (id) => document.getElementById(id);
const cards = [...document.querySelectorAll('.cards li')];
function filter() {
  const words = field('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const [goal, theme, collection] = ['goal', 'theme', 'collection'].map((id) => field(id).value);
  let shown = 0;
  for (const card of cards) {
    const { goal: itsGoal, themes, collection: itsCollection } = card.dataset;
    const text = `${card.textContent} ${themes} ${itsCollection}`.toLowerCase();
    const fits =
      words.every((word) => text.includes(word)) &&
      (!goal || goal === itsGoal) &&
      (!theme || themes.split(' ').includes(theme)) &&
      (!collection || collection === itsCollection);
    card.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  field('count').textContent = `${shown} of ${cards.length} puzzles`;
}
for (const id of ['search', 'goal', 'theme', 'collection']) field(id).addEventListener('input', filter);
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
