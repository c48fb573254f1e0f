import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A question of a client, and what our hook answers. */
export interface Golden {
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly effect: string;
  readonly answer: { readonly stdout: unknown };
}

const ROOT = resolve(import.meta.dirname, '..', '..');

export const goldenOf = (client: string): readonly Golden[] =>
  JSON.parse(readFileSync(join(ROOT, 'tests/presentation/hook/golden', `${client}.json`), 'utf8'));

export function runIn(folder: string, program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** The compiler checks whether the lines fit the types that they import. */
export function compileIn(folder: string, name: string, lines: readonly string[]): void {
  writeFileSync(join(folder, `${name}.ts`), lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--ignoreConfig'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  runIn(folder, process.execPath, [compiler, ...options, ...types, `${name}.ts`]);
}

/** A file that `castellan install CLIENT --hooks` writes into a project. */
export function installedFile(folder: string, client: string, path: string): string {
  const project = join(folder, `${client}-project`);
  mkdirSync(project, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: folder };
  const args = [join(ROOT, 'dist/main.js'), 'install', client, '--hooks', '--scope', 'project', '--yes'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`castellan install ${client} ended with ${status}: ${stderr}`);
  return readFileSync(join(project, path), 'utf8');
}
