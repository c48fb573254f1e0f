import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECT } from '../support/spawned-server.js';

const page = readFileSync(join(PROJECT, 'docs/explanation/architecture.md'), 'utf8');

/** The numbered stops under a heading. */
function stopsOf(heading: string): readonly string[] {
  const [, rest = ''] = page.split(`## ${heading}`);
  const [section = ''] = rest.split('\n## ');
  return section.split('\n').filter((line) => /^\d+\. /.test(line));
}

describe('The walk through the architecture', () => {
  for (const [heading, most] of [
    ['A call of `read_file`', 20],
    ['A call of `execute_command`', 20],
  ] as const) {
    it(`${heading}: each of its stops, at most ${most}, names a file that exists`, () => {
      const stops = stopsOf(heading);
      expect(stops.length).to.be.within(5, most);
      for (const stop of stops) {
        const files = [...stop.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path);
        expect(files, stop).not.to.deep.equal([]);
        for (const path of files) expect(existsSync(join(PROJECT, path)), path).to.equal(true);
      }
    });
  }

  it('every page names only files of src, tests and scripts that exist', () => {
    const folder = join(PROJECT, 'docs');
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    const gone = [...pages.map((name) => join('docs', name)), 'CONTRIBUTING.md', 'README.md'].flatMap(
      (name) =>
        [
          ...readFileSync(join(PROJECT, name), 'utf8').matchAll(
            /`((?:src|tests|scripts|bench)\/[\w./-]+\.(?:ts|cjs|mjs))`/g,
          ),
        ]
          .map(([, path = '']) => path)
          .filter((path) => !existsSync(join(PROJECT, path)))
          .map((path) => `${name}: ${path}`),
    );
    expect(gone).to.deep.equal([]);
  });
});
