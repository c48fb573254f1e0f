import { expect } from 'chai';
import { type CommandWord, type ProgramCall, wordText } from '../../../../src/domain/command/command-plan.js';
import { folderChanges } from '../../../../src/domain/permission/path/folder-changes.js';

function call(line: string, more: Partial<ProgramCall> = {}): ProgramCall {
  const [program = '', ...words] = line.split(' ');
  const args = words.map(
    (text): CommandWord => (/[*?]/.test(text) ? { kind: 'glob', pattern: text } : { kind: 'literal', text }),
  );
  return { program, args, directory: '.', ...more };
}

const told = (line: string): readonly string[] =>
  folderChanges([call(line)]).map(({ word, extent }) => `${extent} ${wordText(word)}`);

const CHANGING: readonly (readonly [string, ...string[]])[] = [
  ['rm -rf node_modules dist', 'all node_modules', 'all dist'],
  ['/bin/rm --recursive -- -x', 'all -x'],
  ['rm -rf packages/*/node_modules', 'all packages/*/node_modules'],
  ['npm ci', 'all node_modules'],
  ['npm --registry http://x --prefix web ci', 'all web/node_modules'],
  ['npm -C web clean-install', 'all web/node_modules'],
  ['npm install', 'packages node_modules'],
  ['npm uninstall a', 'packages node_modules'],
  ['pnpm --dir=web add a', 'packages web/node_modules'],
  ['yarn', 'packages node_modules'],
  ['yarn add a', 'packages node_modules'],
  ['bun remove a', 'packages node_modules'],
  ['pip3 install a', 'packages .venv', 'packages venv'],
  ['env/bin/pip uninstall -y a', 'packages env'],
  ['env/bin/python3.11 -m pip install a', 'packages env'],
  ['uv sync', 'packages .venv', 'packages venv'],
  ['bundle install', 'packages vendor/bundle', 'packages .bundle'],
  ['composer --working-dir=api update', 'packages api/vendor'],
  ['cargo clean', 'all target'],
  ['mvn clean install', 'all target'],
  ['go mod vendor', 'all vendor'],
  ['git clean -fdx', 'all .'],
  ['git -C web clean -fdX', 'all web'],
  ['git clean -ffdx -e keep node_modules', 'all node_modules'],
  ['find web/node_modules -delete', 'all web/node_modules'],
  ['find node_modules -exec rm -rf {} +', 'all node_modules'],
  [
    'find . -name node_modules -prune -exec rm -rf {} +',
    ...['./', './*/', './*/*/', './*/*/*/'].map((place) => `all ${place}node_modules`),
  ],
];

const HARMLESS = [
  'rm node_modules/a.js',
  'npm run ci',
  'npm run install',
  'npm test',
  'npm install -g a',
  'npm install --dry-run',
  'npm install --package-lock-only',
  'npx jest',
  'yarn build',
  'pip list',
  'python3 -m venv .venv',
  'python3 pip install',
  'cargo build',
  'go mod tidy',
  'git clean -fd',
  'git clean -fdxn',
  'git rm -r node_modules',
  'find . -name *.tmp -delete',
  'find . -type f -delete',
  'find node_modules -name package.json',
  'mv node_modules old',
  'constructor install',
];

describe('the folders that programs remove or replace', () => {
  for (const [line, ...expected] of CHANGING)
    it(`are known of ${line}`, () => expect(told(line)).to.deep.equal(expected));

  for (const line of HARMLESS) it(`are none of ${line}`, () => expect(told(line)).to.deep.equal([]));

  it('are told with the folder that the program runs in, and not where nobody knows it', () => {
    const changes = folderChanges([
      call('npm ci', { directory: 'web' }),
      call('npm ci', { directory: '/?' }),
      call('npm ci', { possible: true }),
      {
        ...call('rm -r'),
        args: [
          { kind: 'literal', text: '-r' },
          { kind: 'glob', pattern: '*', unseen: true },
        ],
      },
    ]);
    expect(changes.map(({ program, directory }) => [program, directory])).to.deep.equal([['npm', 'web']]);
  });
});
