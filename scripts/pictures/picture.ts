/** What a box stands for; each has a colour of its own, in light and in dark. */
export type BoxKind = 'plain' | 'good' | 'bad' | 'outside';

export interface Box {
  readonly row: number;
  readonly column: number;
  /** Columns that it spans; default: 1. */
  readonly span?: number;
  readonly kind?: BoxKind;
  readonly lines: readonly string[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
}

/** Boxes on a grid and arrows between them, by the names of the boxes. */
export interface Picture {
  readonly title: string;
  readonly columns: number;
  readonly boxes: Readonly<Record<string, Box>>;
  readonly arrows: readonly Arrow[];
}

const [WIDTH, GAP, EDGE, LINE, PADDING, ROW_GAP] = [224, 64, 20, 18, 12, 46];

const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2328}
.label{font-size:12px;fill:#59636e}
rect{fill:#f6f8fa;stroke:#8c959f}
.good{fill:#dafbe1;stroke:#1a7f37}.bad{fill:#ffebe9;stroke:#cf222e}.outside{fill:#fff;stroke-dasharray:4 3}
path{stroke:#59636e;fill:none}.tip{fill:#59636e}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.label{fill:#9198a1}rect{fill:#151b23;stroke:#656c76}
.good{fill:#12261e;stroke:#3fb950}.bad{fill:#25171c;stroke:#f85149}.outside{fill:#0d1117}
path{stroke:#9198a1}.tip{fill:#9198a1}}`;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The picture as SVG: text that can be read aloud and searched, and no script. */
export function drawPicture(picture: Picture): string {
  const places = placesOf(picture);
  const height = Math.max(...[...places.values()].map((place) => place.y + place.height)) + EDGE;
  const width = 2 * EDGE + picture.columns * WIDTH + (picture.columns - 1) * GAP;
  const boxes = Object.entries(picture.boxes).map(([name, box]) => boxOf(box, placeOf(places, name)));
  const arrows = picture.arrows.map((arrow) => arrowOf(arrow, places));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(picture.title)}</title>
<style>${STYLE}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
${[...arrows, ...boxes].join('\n')}
</svg>
`;
}

function placesOf({ boxes }: Picture): ReadonlyMap<string, Placed> {
  const all = Object.entries(boxes);
  const heights = new Map<number, number>();
  for (const [, { row, lines }] of all)
    heights.set(row, Math.max(heights.get(row) ?? 0, lines.length * LINE + 2 * PADDING));
  const top = (row: number) =>
    [...heights].filter(([other]) => other < row).reduce((sum, [, height]) => sum + height + ROW_GAP, EDGE);
  return new Map(
    all.map(([name, { row, column, span = 1 }]) => [
      name,
      {
        x: EDGE + column * (WIDTH + GAP),
        y: top(row),
        width: span * WIDTH + (span - 1) * GAP,
        height: heights.get(row) ?? 0,
      },
    ]),
  );
}

function placeOf(places: ReadonlyMap<string, Placed>, name: string): Placed {
  const place = places.get(name);
  if (place === undefined) throw new Error(`The picture has no box named ${name}.`);
  return place;
}

function boxOf({ lines, kind = 'plain' }: Box, { x, y, width, height }: Placed): string {
  const first = y + (height - lines.length * LINE) / 2 + LINE - 5;
  const text = lines.map(
    (line, index) =>
      `<text x="${x + width / 2}" y="${first + index * LINE}" text-anchor="middle"${index === 0 ? ' font-weight="600"' : ''}>${escaped(line)}</text>`,
  );
  return `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${text.join('')}`;
}

/** Straight from the middle of one side to that of the side that faces it. */
function arrowOf({ from, to, label }: Arrow, places: ReadonlyMap<string, Placed>): string {
  const [start, end] = [placeOf(places, from), placeOf(places, to)];
  const [x1, y1, x2, y2] = endsOf(start, end);
  const line = `<path d="M${x1} ${y1}L${x2} ${y2}" marker-end="url(#tip)"/>`;
  if (label === undefined) return line;
  const sideways = y1 === y2;
  const [x, y] = [(x1 + x2) / 2 + (sideways ? 0 : 6), (y1 + y2) / 2 + (sideways ? -6 : 4)];
  const anchor = sideways ? 'middle' : 'start';
  return `${line}<text class="label" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(label)}</text>`;
}

function endsOf(start: Placed, end: Placed): readonly [number, number, number, number] {
  const middle = (place: Placed) => ({ x: place.x + place.width / 2, y: place.y + place.height / 2 });
  if (start.y === end.y) {
    const right = start.x < end.x;
    const { y } = middle(start);
    return right ? [start.x + start.width, y, end.x, y] : [start.x, y, end.x + end.width, y];
  }
  const down = start.y < end.y;
  const within = (x: number, { x: left, width }: Placed) => left <= x && x <= left + width;
  const [{ x: first }, { x: second }] = [middle(start), middle(end)];
  const x1 = within(second, start) ? second : first;
  const x2 = within(x1, end) ? x1 : second;
  return down ? [x1, start.y + start.height, x2, end.y] : [x1, start.y, x2, end.y + end.height];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
