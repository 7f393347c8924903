const field = (id) => document.getElementById(id);
document.documentElement.classList.add('js');
const filters = ['goal', 'theme', 'difficulty', 'collection', 'course', 'progress'];
const cards = [...document.querySelectorAll('.cards li')];
function filter() {
  const words = field('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const [goal, theme, difficulty, collection, course, progress] = filters.map((id) => field(id).value);
  let shown = 0;
  for (const card of cards) {
    const { id, goal: itsGoal, themes, collection: itsCollection } = card.dataset;
    const text = `${card.textContent} ${themes} ${itsCollection}`.toLowerCase();
    const fits =
      words.every((word) => text.includes(word)) &&
      (!goal || goal === itsGoal) &&
      (!theme || themes.split(' ').includes(theme)) &&
      (!difficulty || difficulty === card.dataset.difficulty) &&
      (!collection || collection === itsCollection) &&
      (!course || course === card.dataset.course) &&
      (!progress || (progress === 'solved') === found.has(id));
    card.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  field('count').textContent = `${shown} of ${cards.length} puzzles`;
}
for (const id of ['search', ...filters]) field(id).addEventListener('input', filter);
for (const card of cards) card.classList.toggle('found', found.has(card.dataset.id));
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
