import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlannedCall } from './model-stand-in.js';

/** What a model must be told of a call, where a requirement names it. */
export type Wanted = 'message' | 'instruction' | 'code';

const CONFIG = `
project: { name: shop }
categories:
  guidelines: { dir: docs/guidelines }
  patterns: { dir: docs/patterns }
  adr: { dir: docs/adr }
`;

/** A project in which the calls below come to what they should, with the files that `init` writes. */
export function makeClientProject(folder: string, main: string, env: NodeJS.ProcessEnv): void {
  const files: Readonly<Record<string, string>> = {
    'README.md': '# Shop\n\nA sample.\n',
    'src/sum.js': 'exports.sum = (a, b) => a - b;\n',
    'src/big.txt': Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join(''),
    '.env': 'TOKEN=none\n',
    'docs/guidelines/style.md': '# Style\n\nName things plainly.\n',
    'docs/patterns/retry.md': '# Retry\n\nRetry three times.\n',
    'docs/adr/0001-database.md': '# Database\n\nStatus: accepted\n\nWe use PostgreSQL.\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (let index = 0; index < 30; index += 1) writeFileSync(join(folder, `src/file-${index}.js`), 'x\n');
  execFileSync(process.execPath, [main, 'init'], { cwd: folder, env, stdio: 'ignore' });
  writeFileSync(join(folder, 'castellan.yaml'), CONFIG);
  execFileSync(process.execPath, [main, 'trust', 'castellan.yaml'], { cwd: folder, env, stdio: 'ignore' });
}

/** Forty calls of an ordinary day, mistakes included. */
export const CLIENT_CALLS: readonly (readonly [...PlannedCall, ...Wanted[]])[] = [
  ['echo', { message: 'hello' }],
  ['system_info', {}],
  ['list_directory', {}],
  ['list_directory', { path: 'src', limit: 5 }, 'instruction'],
  ['list_directory', { path: 'README.md' }, 'code'],
  ['list_directory', { path: 'gone' }, 'code', 'instruction'],
  ['read_file', { path: 'README.md' }],
  ['read_file', { path: 'src/big.txt' }, 'instruction'],
  ['read_file', { path: 'gone.txt' }, 'code', 'instruction'],
  ['read_file', { path: '.env' }, 'code'],
  ['read_file', { path: '/etc/passwd' }, 'code'],
  ['read_file', {}, 'code', 'instruction'],
  ['read_file', { file_path: 'README.md' }, 'code', 'instruction'],
  ['read_files', { paths: ['README.md', 'src/sum.js'] }],
  ['search_files', { pattern: '*.js', limit: 3 }, 'instruction'],
  ['search_files', { pattern: '*.xyz' }, 'instruction'],
  ['search_content', { query: 'sum' }],
  ['search_content', { query: '(' }, 'code'],
  ['search_content', { query: 'no such words' }, 'instruction'],
  ['file_info', { path: 'README.md' }],
  ['edit_file', { path: 'src/sum.js', edits: [{ old_text: 'a - b', new_text: 'a + b' }] }],
  ['edit_file', { path: 'src/sum.js', old_text: 'a * b', new_text: 'x' }, 'code'],
  ['edit_file', { path: 'src/sum.js', old_text: 'a', new_text: 'c', dry_run: true }, 'code'],
  ['write_file', { path: 'notes.txt', content: 'one\n' }],
  ['write_file', { path: 'deep/er/notes.txt', content: 'x' }, 'code'],
  ['create_directory', { path: 'out' }],
  ['copy_path', { source: 'notes.txt', destination: 'out/notes.txt' }],
  ['move_path', { source: 'notes.txt', destination: 'out/moved.txt' }],
  ['delete_path', { path: 'out', recursive: true }, 'code', 'instruction'],
  ['delete_path', { path: 'out', recursive: true, explicit_action: 'DELETE_PATH' }, 'code'],
  ['execute_command', { command: 'node -e "console.log(1)"' }],
  ['execute_command', { command: 'node -e "process.exit(3)"' }, 'instruction'],
  ['execute_command', { command: 'cat .env' }, 'instruction'],
  ['get_project_config', {}, 'instruction'],
  ['get_project_config', { project: 'gone' }, 'code', 'message', 'instruction'],
  ['get_content', { expression: 'guidelines/style' }],
  ['search_architecture', { query: 'database' }],
  ['validate_against_pattern', { code: 'x', pattern_name: 'gone' }, 'code'],
  ['set_project_flag', { flag: 'dark-mode' }],
  ['get_tool_stats', { tool: 'gone' }, 'code'],
];
