document.documentElement.classList.add('js');
const figures = [...document.querySelectorAll('.steps figure')];
const solution = document.getElementById('solution');
let at = -1;
/** Scrolls a picture that is wider than its place to the present. */
function reveal(picture) {
  const present = picture.querySelector('.present')?.getBoundingClientRect();
  const place = picture.getBoundingClientRect();
  if (present) picture.scrollLeft += present.left + present.width / 2 - place.left - place.width / 2;
}
function show(index) {
  if (index < 0 || index >= figures.length) return;
  at = index;
  figures.forEach((figure, number) => figure.classList.toggle('on', number === at));
  reveal(figures[at].querySelector('.picture'));
  document.getElementById('count').textContent = `${at + 1} of ${figures.length}`;
  document.getElementById('prev').disabled = at === 0;
  document.getElementById('next').disabled = at === figures.length - 1;
  for (const link of document.querySelectorAll('.lines a')) {
    if (link.hash === `#${figures[at].id}`) link.setAttribute('aria-current', 'step');
    else link.removeAttribute('aria-current');
  }
}
if (figures.length === 0) document.querySelector('.stage').remove();
document.getElementById('prev')?.addEventListener('click', () => show(at - 1));
document.getElementById('next')?.addEventListener('click', () => show(at + 1));
document.addEventListener('click', (event) => {
  const link = event.target.closest('.lines a');
  if (!link) return;
  event.preventDefault();
  show(figures.findIndex((figure) => `#${figure.id}` === link.hash));
});
document.addEventListener('keydown', (event) => {
  if (!solution.open || event.ctrlKey || event.altKey || event.metaKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const to = { Home: 0, End: figures.length - 1 }[event.key];
  if (by === undefined && to === undefined) return;
  event.preventDefault();
  show(to ?? at + by);
});
solution.addEventListener('toggle', () => show(at));
document.querySelectorAll('.picture').forEach(reveal);
show(0);
