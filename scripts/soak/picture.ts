import { type Series, seriesOf } from './flatness.js';
import type { Reading } from './readings.js';

const [WIDTH, HEIGHT] = [420, 150];
const [LEFT, TOP, GAP] = [46, 26, 34];
const COLOURS = ['#2563eb', '#d97706', '#059669'];
const STYLE =
  'text{font:11px sans-serif;fill:#57606a}.title{font-weight:bold;fill:#24292f}.axis{stroke:#d0d7de}';

/** One panel a series over the minutes, each from zero: what is flat looks flat. */
export function soakPicture(readings: readonly Reading[], caption: string): string {
  const panels = seriesOf(readings);
  const width = LEFT + WIDTH + 20;
  const height = panels.length * (HEIGHT + TOP + GAP) + 30;
  const minutes = readings.map(({ minute }) => minute);
  const drawn = panels.map((series, place) => panel(series, minutes, place * (HEIGHT + TOP + GAP) + 24));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${caption}">`,
    `<style>${STYLE}</style><rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="16">${caption}</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function panel({ title, unit, lines }: Series, minutes: readonly number[], top: number): string {
  const most = Math.max(1, ...lines.flat()) * 1.1;
  const last = Math.max(0.1, minutes.at(-1) ?? 0);
  const x = (minute: number) => (LEFT + (minute / last) * WIDTH).toFixed(1);
  const y = (value: number) => (top + TOP + HEIGHT - (value / most) * HEIGHT).toFixed(1);
  const bottom = top + TOP + HEIGHT;
  const marks = [0, most / 2.2, most / 1.1].map(
    (value) =>
      `<line class="axis" x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 6}" y="${y(value)}" text-anchor="end">${Math.round(value)}</text>`,
  );
  const paths = lines.map((values, line) => {
    const points = values.map((value, place) => `${x(minutes[place] ?? 0)},${y(value)}`).join(' ');
    return `<polyline fill="none" stroke="${COLOURS[line % COLOURS.length]}" stroke-width="1.5" points="${points}"/>`;
  });
  return [
    `<text class="title" x="${LEFT}" y="${top + 14}">${title}${unit === '' ? '' : `, ${unit}`}</text>`,
    ...marks,
    `<text x="${LEFT}" y="${bottom + 14}">0</text>`,
    `<text x="${LEFT + WIDTH}" y="${bottom + 14}" text-anchor="end">${Math.round(last * 10) / 10} min</text>`,
    ...paths,
  ].join('\n');
}
