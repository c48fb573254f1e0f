import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const RECORDED_PROGRAMS: readonly string[] = ['ls', 'cat', 'no'];
export const FOLDERS: readonly string[] = ['sub', 'sub/deep', 'd d'];
export const NAMES: readonly string[] = [
  'a',
  'b',
  'x.txt',
  'y.txt',
  'c.tat',
  '-dash',
  '*lit',
  '.hidden',
  'sub',
  'd d',
];
const FILES = NAMES.filter((name) => name !== 'sub' && name !== 'd d');

/** What one command line did: programs with folder, input and arguments; files with content; its status. */
export interface Recording {
  readonly programs: readonly string[];
  readonly files: readonly string[];
  readonly status: string;
}

/**
 * A folder where programs write down how they were called. `functions` stands for the programs by functions of
 * the shell, which a thousand lines can afford; otherwise they are real programs in `bin`.
 */
export class RecordingShell {
  private constructor(readonly root: string) {}

  static async create(): Promise<RecordingShell> {
    const root = await mkdtemp(join(tmpdir(), 'castellan-recording-'));
    const shell = new RecordingShell(root);
    await mkdir(shell.bin);
    for (const name of RECORDED_PROGRAMS) {
      await writeFile(join(shell.bin, name), recorder(root, name));
      await chmod(join(shell.bin, name), 0o755);
    }
    await mkdir(shell.work);
    await fill(shell.work, 3);
    return shell;
  }

  get bin(): string {
    return join(this.root, 'bin');
  }

  get work(): string {
    return join(this.root, 'work');
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** Runs every line in one bash, each in a shell of its own, and answers what each did. */
  async record(lines: readonly string[], functions: boolean): Promise<readonly Recording[]> {
    const script = join(this.root, 'script.sh');
    await writeFile(
      script,
      `${this.prelude(functions)}\n${lines.map((line, index) => this.framed(line, index)).join('\n')}`,
    );
    await rm(join(this.root, 'log'), { recursive: true, force: true });
    await mkdir(join(this.root, 'log'));
    await writeFile(join(this.root, 'status'), '');
    await run('bash', ['--noprofile', '--norc', script], {
      cwd: this.work,
      env: { PATH: `${this.bin}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const programs = await this.programs(lines.length);
    const files = await this.files(lines.length);
    const statuses = (await readFile(join(this.root, 'status'), 'utf8')).trim().split('\n');
    return lines.map((_, index) => ({
      programs: [...(programs[index] ?? [])].sort(),
      files: [...(files[index] ?? [])].sort(),
      status: statuses[index] ?? 'missing',
    }));
  }

  private prelude(functions: boolean): string {
    const record = `__record() {
  local name=$1 data=
  shift
  IFS= read -r -d '' data
  printf '%s\\0' begin "$CASE" "$name" "$PWD" "$data" "$@" end >> '${this.root}/log/'"$BASHPID"
  printf 'err %s\\n' "$name" 1>&2 2>/dev/null
  printf 'out %s\\n' "$name" 2>/dev/null
  [[ $name != no ]]
}`;
    // A reader that ends early must not end the writer, or the outcome would be a race.
    const ignored = "trap '' PIPE";
    if (!functions) return `export CASE\n${ignored}`;
    const bodies = RECORDED_PROGRAMS.flatMap((name) => [
      `function ${name} { __record ${name} "$@"; }`,
      `function ${join(this.bin, name)} { __record ${name} "$@"; }`,
    ]);
    return [ignored, record, ...bodies].join('\n');
  }

  private framed(line: string, index: number): string {
    return `CASE=${index}\n( ${line}\n) </dev/null >/dev/null 2>/dev/null\necho "$?" >> '${this.root}/status'`;
  }

  private async programs(count: number): Promise<readonly string[][]> {
    const found: string[][] = Array.from({ length: count }, () => []);
    // One log a process: two that write at once must not mix their lines.
    const logs = await readdir(join(this.root, 'log'));
    const texts = await Promise.all(logs.map((log) => readFile(join(this.root, 'log', log), 'utf8')));
    const words = texts.join('').split('\0');
    let start = 0;
    for (const [index, word] of words.entries()) {
      if (word !== 'end') continue;
      const [, number = '', name = '', folder = '', data = '', ...args] = words.slice(start, index);
      found[Number(number)]?.push(recorded(name, relative(this.work, folder) || '.', args, data));
      start = index + 1;
    }
    return found;
  }

  private async files(count: number): Promise<readonly string[][]> {
    const found: string[][] = Array.from({ length: count }, () => []);
    for (const entry of await readdir(this.work, { recursive: true, withFileTypes: true })) {
      const number = /^\.out ?([0-9]+)_[0-9]+$/.exec(entry.name)?.[1];
      if (number === undefined) continue;
      const path = join(entry.parentPath, entry.name);
      found[Number(number)]?.push(
        `${relative(this.work, path)}: ${sortedLines(await readFile(path, 'utf8'))}`,
      );
      await rm(path);
    }
    return found;
  }
}

/** The parts of a pipeline run at once, so lines that meet in one file have no order. */
export function sortedLines(text: string): string {
  return text.split('\n').sort().join('|');
}

export function recorded(name: string, folder: string, args: readonly string[], data: string): string {
  return JSON.stringify([basename(name), folder, args, sortedLines(data)]);
}

function recorder(root: string, name: string): string {
  return `#!/bin/sh
data=
while IFS= read -r line; do data="$data$line
"; done
printf '%s\\0' begin "$CASE" ${name} "$PWD" "$data" "$@" end >> '${root}/log/'$$
printf 'err %s\\n' ${name} 1>&2 2>/dev/null
printf 'out %s\\n' ${name} 2>/dev/null
exit ${name === 'no' ? 1 : 0}
`;
}

async function fill(folder: string, depth: number): Promise<void> {
  await mkdir(join(folder, 'sub/deep'), { recursive: true });
  await mkdir(join(folder, 'd d'), { recursive: true });
  for (const file of FILES) await writeFile(join(folder, file), `content of ${file}\n`);
  if (depth === 0) return;
  for (const child of FOLDERS) await fill(join(folder, child), depth - 1);
}
