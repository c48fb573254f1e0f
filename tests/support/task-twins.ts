import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Ran, type Same, TwinProjects } from './twin-projects.js';

export interface Step {
  /** What the server may add to the output, beside the exit code and the time of a long run. */
  readonly note?: RegExp;
  /** Variables of this command. */
  readonly env?: Readonly<Record<string, string>>;
  /** What counts of a line of output: times and numbers that each run makes anew do not. */
  readonly output?: (text: string) => string;
  /** Leave the files out of the comparison, where something still writes them. */
  readonly isTreeMoving?: boolean;
}

/** Longer than this an answer does not wait. */
const LONGEST_WAIT = 45;

/** git keeps times. */
const project: Same = (path, text) => (path.startsWith('.git/') ? undefined : text);

/**
 * A task in two copies of a project: an agent has the built server over stdio, with the policy and the answers that ship,
 * somebody else plain bash.
 */
export class TaskTwins extends TwinProjects {
  /** Makes the project with a script of bash on both sides and starts the server; what `init` wrote lies on both. */
  async begin(script: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
    for (const folder of [this.folder, this.outside]) {
      const made = await this.plain(`set -e; cd '${folder}'\n${script}`, { ...process.env, ...env });
      if (made.code !== 0) throw new Error(`The project was not made: ${made.output}`);
    }
    await this.startAsShipped();
    for (const name of ['permissions.yaml', 'castellan.yaml', '.git/info/exclude'])
      if (existsSync(join(this.folder, name)))
        copyFileSync(join(this.folder, name), join(this.outside, name));
  }

  /** The same line on both sides: exit code, output and files must come out alike. */
  async same(command: string, step: Step = {}): Promise<Ran> {
    const args = { command, ...(step.env && { env: step.env }) };
    const [inside, outside] = await Promise.all([
      this.agent(args),
      this.plain(`exec 2>&1; ${command}`, step.env),
    ]);
    const shown = ({ code, output }: Ran): Ran => ({
      code,
      output: (step.output ?? ((text) => text))(this.plainText(output)),
    });
    expect(shown(inside), command).to.deep.equal(shown(outside));
    const added = inside.notes.filter((note) => step.note?.test(note) !== true);
    expect(added, `what the server adds to the answer of ${command}`).to.deep.equal([]);
    if (step.isTreeMoving !== true) this.sameFiles(command);
    return inside;
  }

  /** A tool of the server, and what somebody without it types. */
  async tool(name: string, args: Readonly<Record<string, unknown>>, instead: string): Promise<string> {
    const { isError, texts } = await this.person.reads(name, args);
    expect(isError, texts.join('\n')).to.equal(false);
    const { code, output } = await this.plain(instead);
    expect(code, output).to.equal(0);
    this.sameFiles(`${name} ${JSON.stringify(args)}`);
    return texts.join('\n');
  }

  sameFiles(after: string): void {
    const [inside, outside] = this.trees(project);
    expect(inside, `the files after ${after}`).to.deep.equal(outside);
  }

  /** A command of the agent, waited for to its end, as the answers tell it. */
  async agent(
    args: Readonly<Record<string, unknown>>,
  ): Promise<Ran & { readonly notes: readonly string[]; readonly calls: number }> {
    let { texts } = await this.person.reads('execute_command', args);
    let { output, note } = parts(texts);
    const id = /^running as (\S+),/.exec(note)?.[1];
    let calls = 1;
    for (let running = id !== undefined; running; calls += 1) {
      const wait = { process_id: id, wait_for: 'exit', wait: LONGEST_WAIT };
      ({ texts } = await this.person.reads('process_output', wait));
      const page = parts(texts);
      note = page.note;
      output += page.output;
      running = note.startsWith('running');
    }
    const code = Number(/^(?:exited, )?exit code (\d+)/m.exec(note)?.[1] ?? 0);
    const notes = note
      .split('\n')
      .map((line) => line.replace(ORDINARY, ''))
      .filter((line) => line !== '');
    return { code, output, notes, calls };
  }

  /** Without names that the sides do not share. */
  plainText(text: string): string {
    return (
      this.told(text)
        .replace(/\S*\/castellan\/home\/[0-9a-f]{16}/g, '~')
        .replaceAll('@@/home', '~')
        // What is read exactly runs by absolute paths, which programs repeat in their messages.
        .replace(/^(?:\/usr)?\/bin\/([\w-]+): /gm, '$1: ')
        .replace(/^bash: line \d+: /gm, 'bash: ')
        .replace(/^bash: @\//gm, 'bash: ./')
        // Answers have ends of lines as a terminal shows them.
        .replaceAll('\r\n', '\n')
    );
  }
}

/** What every answer may say: the exit code, and the seconds of a command that took some. */
const ORDINARY =
  /^(?:exited, )?(?:exit code \d+)?(?:, no output)?(?:; )?(?:cursor \d+)?(?:; no new output)?(?:\d+\.\d s)?$/;

/** An answer without output is a note alone. */
function parts(texts: readonly string[]): { output: string; note: string } {
  const [first = '', second] = texts;
  if (second === undefined && /^(exit code \d+, no output|running as |exited|running; )/.test(first))
    return { output: '', note: first };
  return { output: first, note: second ?? '' };
}
