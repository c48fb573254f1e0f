import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LARGE_FILES } from '../../tests/support/large-files.js';
import { LARGE_ROWS } from './agent-calls.js';

/** A small project, the same for each server. */
export function makeGround(root: string): void {
  rmSync(root, { recursive: true, force: true });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put(
    'package.json',
    `${JSON.stringify({ name: 'sample', version: '1.0.0', type: 'module' }, undefined, 2)}\n`,
  );
  put('README.md', `# Sample\n\nA sample of a project.\n\n${'Some words about it.\n'.repeat(20)}`);
  put('docs/guide.md', Array.from({ length: 300 }, (_, line) => `Line ${line + 1} of the guide.\n`).join(''));
  put('docs/faq.md', 'Question and answer.\n');
  put('src/app/main.ts', "import { start } from './start.js';\n\nconst port = 1;\nstart(port);\n");
  put('src/app/start.ts', 'export const start = (port: number) => port; // TODO: listen\n');
  for (let index = 1; index <= 56; index += 1) {
    const number = String(index).padStart(2, '0');
    const todo = index % 10 === 0 ? '  // TODO: measure\n' : '';
    put(
      `src/domain/order-service-${number}.ts`,
      `export class OrderService${number} {\n${todo}  total(): number {\n    return ${index};\n  }\n}\n`,
    );
  }
  for (const path of LARGE_ROWS) put(`large/${path}`, LARGE_FILES[path] ?? '');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.org', 'commit', '-q', '-m', 'Begin');
}
