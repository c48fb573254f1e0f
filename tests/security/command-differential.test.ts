import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { CommandParser } from '../../src/application/ports/command/command-parser.js';
import type { CommandPlan } from '../../src/domain/command/command-plan.js';
import { emitCommand } from '../../src/domain/command/command-text.js';
import { loadShellParser } from '../../src/infrastructure/shell/shell-parser.js';
import { type CommandLineShape, commandLines } from '../support/command-line-arbitrary.js';
import { type Expected, expectRecording } from '../support/expected-recording.js';
import { RECORDED_PROGRAMS, type Recording, RecordingShell } from '../support/recording-shell.js';

const long = process.env.CASTELLAN_LONG === '1';
const BATCH = 500;

describe('What bash does with an accepted command line', function () {
  this.timeout(long ? 1_800_000 : 240_000);
  let parser: CommandParser;
  let shell: RecordingShell;

  before(async () => {
    parser = await loadShellParser();
    shell = await RecordingShell.create();
  });

  after(() => shell.dispose());

  /** Accepted lines with a file name of its own for every redirection. */
  function generate(shape: CommandLineShape, count: number): readonly { line: string; plan: CommandPlan }[] {
    const accepted: { line: string; plan: CommandPlan }[] = [];
    const lines = commandLines(shape);
    while (accepted.length < count) {
      for (const template of fc.sample(lines, count - accepted.length)) {
        let file = 0;
        const number = accepted.length % BATCH;
        const line = template.replace(
          /(\.out(?:\\? )?)@/g,
          (_, name: string) => `${name}${number}_${file++}`,
        );
        const result = parser.parse(line, 'static');
        if (result.success) accepted.push({ line, plan: result.value });
      }
    }
    return accepted;
  }

  function expand(pattern: string, directory: string): readonly string[] {
    return globNames(shell.work, directory, pattern);
  }

  function resolve(program: string): string {
    return RECORDED_PROGRAMS.includes(program) ? join(shell.bin, program) : `/usr/bin/${program}`;
  }

  function compare(
    line: string,
    plan: CommandPlan,
    emitted: Recording,
    original: Recording | undefined,
  ): void {
    const expected: Expected = { programs: [], files: [] };
    const succeeded = expectRecording(plan.tree, '.', expand, expected);
    const told = (recording: Recording): readonly string[] => recording.programs.map(withoutInput).sort();
    expect(told(emitted), `programs of ${line}`).to.deep.equal(expected.programs.map(dashed).sort());
    expect(emitted.files.map(nameOf), `files of ${line}`).to.deep.equal([...new Set(expected.files)].sort());
    expect(emitted.status === '0', `status of ${line}`).to.equal(succeeded);
    const planned = plan.programs.map((call) => `${call.program} ${call.directory}`);
    for (const program of expected.programs) {
      const [name, folder] = JSON.parse(program) as [string, string];
      expect(planned, line).to.include(`${name} ${folder}`);
    }
    const plannedFiles = plan.files.map((file) => join(file.directory, file.path));
    for (const file of emitted.files.map(nameOf)) expect(plannedFiles, line).to.include(file);
    if (original === undefined) return;
    expect(emitted.programs.map(dashed).sort(), `${line} as it stands`).to.deep.equal(
      original.programs.map(dashed).sort(),
    );
    expect(emitted.files, `files of ${line} as it stands`).to.deep.equal(original.files);
    expect(emitted.status === '0', `status of ${line} as it stands`).to.equal(original.status === '0');
  }

  async function check(shape: CommandLineShape, count: number, functions: boolean): Promise<void> {
    const cases = generate(shape, count);
    for (let start = 0; start < cases.length; start += BATCH) {
      const batch = cases.slice(start, start + BATCH);
      const texts = batch.map(({ plan }) => emitCommand(plan.tree, resolve, expand));
      const emitted = await shell.record(texts, functions);
      // In the short run bash reads every fourth line itself; the others are held against the plan alone.
      const read = (index: number): boolean => long || !functions || index % 4 === 0;
      const lines = batch.map(({ line }, index) => (read(index) ? line : ':'));
      const original = await shell.record(lines, functions);
      for (const [index, { line, plan }] of batch.entries()) {
        const ours = emitted[index];
        const theirs = read(index) ? original[index] : undefined;
        if (ours === undefined) throw new Error(`no recording of ${line}`);
        compare(line, plan, ours, theirs);
      }
    }
  }

  it('is what the plan says and what bash does with the line itself', async () => {
    const programs = ['ls', 'cat', 'no', "'ls'", 'l"s"'];
    await check({ directories: true, scripts: false, programs }, long ? 19_000 : 300, true);
  });

  it('holds with real programs, wrappers and nested shells', async () => {
    await check({ directories: true, scripts: true, programs: ['ls', 'cat', 'no'] }, long ? 1000 : 20, false);
  });
});

function withoutInput(recording: string): string {
  const [name, folder, args] = JSON.parse(recording) as [string, string, string[]];
  return dashed(JSON.stringify([name, folder, args]));
}

/** Names that begin with a dash get ./ from us and not from bash: the one difference that is meant. */
function dashed(recording: string): string {
  return recording.replaceAll('"./-dash"', '"-dash"');
}

function nameOf(file: string): string {
  return file.slice(0, file.indexOf(': '));
}

/** The names bash would give for the few patterns of the generator, in the order of the C locale. */
function globNames(work: string, directory: string, pattern: string): readonly string[] {
  const slash = pattern.lastIndexOf('/');
  const [folder, last] = slash < 0 ? ['', pattern] : [pattern.slice(0, slash + 1), pattern.slice(slash + 1)];
  if (/[*?[]/.test(folder)) {
    return globNames(work, directory, folder.slice(0, -1))
      .filter((name) => !/^[a-z*-].*\.|^[a-z*-](lit|ash)?$/.test(name))
      .map((name) => `${name}/${last}`);
  }
  const expression = new RegExp(
    `^${last.replace(/\\(.)|\[!|[.+^${}()|]|\*|\?/g, (found: string, quoted?: string) => {
      if (quoted !== undefined) return `\\${quoted}`;
      if (found === '[!') return '[^';
      if (found === '*') return '.*';
      return found === '?' ? '.' : `\\${found}`;
    })}$`,
    'u',
  );
  const names = readdirSync(join(work, directory, folder)).filter(
    (name) => !name.startsWith('.') && expression.test(name),
  );
  return names.sort().map((name) => folder + name);
}
