/** docs/refusal.svg: what `castellan demo` prints on a terminal, refusal included, as a picture. Build first. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const WIDTH = 104;
const [CHARACTER, LINE, EDGE] = [8.4, 18, 16];
const CLASSES: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
};

/** Colours go on over the end of a line. */
let style = '';

const folder = mkdtempSync(join(tmpdir(), 'castellan-picture-'));
const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', XDG_STATE_HOME: join(folder, 'state') };
const command = `${process.execPath} ${join(root, 'dist', 'main.js')} demo --workspace ${folder}`;
// script(1) gives the program a terminal, so that the picture shows what a person sees.
const printed = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
rmSync(folder, { recursive: true });

const session = printed.replaceAll('\r', '').split(/\n.*Castellan is an MCP server/)[0] ?? '';
const lines = session.trimEnd().split('\n').flatMap(wrapped);
writeFileSync(join(root, 'docs', 'refusal.svg'), picture(lines));

interface Piece {
  readonly text: string;
  readonly style: string;
}

function wrapped(line: string): readonly (readonly Piece[])[] {
  const rows: Piece[][] = [[]];
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a terminal begin with one
  for (const part of line.split(/\u001b\[(\d+)m/).entries()) {
    const [index, text] = part;
    if (index % 2 === 1) style = CLASSES[text] ?? '';
    else
      for (const word of text.split(/(?<= )/)) {
        if (column + word.trimEnd().length > WIDTH && column > 0) {
          rows.push([]);
          column = 0;
        }
        rows.at(-1)?.push({ text: word, style });
        column += word.length;
      }
  }
  return rows;
}

function picture(rows: readonly (readonly Piece[])[]): string {
  const [width, height] = [Math.ceil(WIDTH * CHARACTER + 2 * EDGE), rows.length * LINE + 2 * EDGE];
  const texts = rows.map((pieces, index) => {
    const spans = pieces.map(
      ({ text, style }) => `<tspan${style === '' ? '' : ` class="${style}"`}>${escaped(text)}</tspan>`,
    );
    return `<text x="${EDGE}" y="${EDGE + (index + 0.75) * LINE}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A call that is allowed, a call that is refused, and the rule behind the refusal">
<style>rect{fill:#1b1f24}text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6dbe1}.bold{font-weight:700;fill:#fff}.dim{fill:#8b949e}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#f2cc60}</style>
<rect width="${width}" height="${height}" rx="8"/>
${texts.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
