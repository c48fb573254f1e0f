import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandClient, type CommandReply, MANY_CALLS } from './command-client.js';
import {
  changedPaths,
  differences,
  differsFromIndex,
  FIXED_ENVIRONMENT,
  fingerprint,
  type GitState,
  gitState,
  plainBash,
  type Ran,
} from './git-compare.js';

/** A command that both sides run, or what a person does to a file of both. */
export type TwinStep =
  | string
  | { readonly edit: string; readonly text: string }
  | { readonly remove: string };

export interface TwinRepository {
  /** Makes the repository with a script, in a folder that holds nothing but an empty `ws`. */
  readonly script: string;
  /** Protected files, and those that the policy denies: what a call may fail for, if it names it. */
  readonly guarded?: readonly string[];
  /** Secret by their names: hidden, and what a call may fail for, where the user has written them and not committed that. */
  readonly secret?: readonly string[];
  /** Patterns that `files.read` denies. */
  readonly denied?: readonly string[];
}

/** The same length, so that widths in git's output agree. */
const INSIDE = 'in';
const BESIDE = 'by';

/** One repository twice: an agent works on one through the built server, somebody with plain git on the other. */
export class GitTwins {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-twins-')));
  readonly #home = join(this.#root, 'home');
  readonly divergences: string[] = [];
  readonly announced: string[] = [];
  #client: CommandClient | undefined;
  #before: GitState = new Map();
  /** By side: what it was when it was last looked at. */
  readonly #known = new Map<string, { readonly print: string | undefined; readonly state: GitState }>();
  /** What a person wrote. */
  readonly #byHand = new Set<string>();

  private constructor(private readonly repository: TwinRepository) {
    for (const folder of ['home', 'state', `${INSIDE}/ws`, `${BESIDE}/ws`])
      mkdirSync(join(this.#root, folder), { recursive: true });
  }

  static async make(repository: TwinRepository): Promise<GitTwins> {
    const twins = new GitTwins(repository);
    await twins.#make();
    return twins;
  }

  async #make(): Promise<void> {
    for (const side of [INSIDE, BESIDE]) {
      const made = await plainBash(
        `set -e\n${this.repository.script}`,
        join(this.#root, side, 'ws'),
        this.#home,
      );
      if (made.code !== 0) throw new Error(`The repository was not made: ${made.stderr}`);
    }
    const [inside, beside] = await this.#states();
    const apart = describeDifferences(inside, beside);
    if (apart !== '') throw new Error(`The repositories were not made equal: ${apart}`);
    this.#before = inside;
    const policy = join(this.#root, 'policy.yaml');
    writeFileSync(policy, policyText(this.repository.denied ?? []));
    const ground = { workspace: join(this.#root, INSIDE, 'ws'), state: join(this.#root, 'state') };
    this.#client = await CommandClient.start(ground, policy, { HOME: this.#home });
  }

  /** Each step on both sides; what comes out apart is noted, and both go on from where the agent's side is. */
  async run(steps: readonly TwinStep[]): Promise<void> {
    for (const step of steps) {
      if (typeof step === 'string') await this.#compare(step);
      else {
        for (const side of [INSIDE, BESIDE]) byHand(join(this.#root, side, 'ws'), step);
        this.#before = (await this.#states())[0];
        if ('edit' in step) this.#byHand.add(step.edit);
      }
    }
  }

  async stop(): Promise<void> {
    await this.#client?.stop();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #compare(line: string): Promise<void> {
    if (this.#client === undefined) throw new Error('No server was started.');
    const [reply, ran] = await Promise.all([
      this.#client.run(line),
      plainBash(line, join(this.#root, BESIDE, 'ws'), this.#home),
    ]);
    const [inside, beside] = await this.#states();
    const apart = [this.#outputApart(reply, ran), describeDifferences(inside, beside)].filter(
      (text) => text !== '',
    );
    if (apart.length > 0) {
      const objection = await this.#objection(reply, inside, beside);
      if (objection === undefined) this.announced.push(line);
      else this.divergences.push(`${line}\n    ${[objection, ...apart].join('\n    ')}`);
      await this.#level();
    }
    this.#before = inside;
  }

  /** Why this failure is not a right one; undefined: it is. */
  async #objection(reply: CommandReply, inside: GitState, beside: GitState): Promise<string | undefined> {
    if (reply.success && reply.value?.exit_code === 0) return 'the call did not fail';
    const said = this.#plain(JSON.stringify(reply));
    const reasons = await this.#reasons(beside);
    if (reasons.length === 0)
      return `the call failed, and no guarded file had to be written or read: ${said}`;
    if (!reasons.some((path) => said.includes(path))) return `the failure names none of ${reasons}: ${said}`;
    if (!reply.success && onlyFiles(inside, beside).every((path) => said.includes(path))) return undefined;
    // An exit code of git's own is enough where nothing was touched.
    if (reply.success && differences(this.#before, inside).length > 0)
      return `something was changed, and the call is not a failed one: ${said}`;
    const left = [...changedPaths(this.#before, inside)].filter((path) => !said.includes(path));
    if (left.length > 0) return `the failure does not name what it left changed: ${left}: ${said}`;
    const moved = differences(this.#before, inside).filter(
      ({ section }) => section === 'refs' || section === 'HEAD',
    );
    if (moved.length > 0) return `the failed call moved ${moved.map(({ line }) => line).join(', ')}: ${said}`;
    return undefined;
  }

  /** What a person wrote into them is theirs until it is committed. */
  #hidden(): readonly string[] {
    return (this.repository.secret ?? []).filter((path) => this.#byHand.has(path));
  }

  /**
   * The files that this line may fail for: guarded ones that plain git wrote, in the end or on its way from one commit to
   * the next, and unreadable ones that it had to read, because they are not as its index says. The same name in
   * another worktree is guarded as well.
   */
  async #reasons(beside: GitState): Promise<readonly string[]> {
    const { guarded = [], denied = [] } = this.repository;
    const unreadable = [...denied, ...this.#hidden()];
    const closed = [...new Set([...guarded, ...unreadable])];
    const written = [...changedPaths(this.#before, beside)].filter((changed) =>
      closed.some((path) => changed === path || changed.endsWith(`/${path}`) || isFolderOf(changed, path)),
    );
    const read = unreadable.filter((path) => differsFromIndex(this.#before, path));
    return [...new Set([...written, ...read, ...(await this.#passed(closed, beside))])];
  }

  /** Those of which the commits differ that plain git's HEAD stood for meanwhile. */
  async #passed(paths: readonly string[], beside: GitState): Promise<readonly string[]> {
    const commits = new Set(
      differences(this.#before, beside)
        .filter(({ section, only }) => section === 'reflog' && only === 'second')
        .flatMap(({ line }) => line.split(' ', 2)),
    );
    const differing: string[] = [];
    for (const path of commits.size < 2 ? [] : paths) {
      const script = [...commits].map((commit) => `echo "$(git ls-tree ${commit} -- '${path}')"`).join('\n');
      const { stdout } = await plainBash(script, join(this.#root, BESIDE, 'ws'), this.#home);
      if (new Set(stdout.trimEnd().split('\n')).size > 1) differing.push(path);
    }
    return differing;
  }

  #outputApart(reply: CommandReply, ran: Ran): string {
    if (reply.value === undefined) return `no result: ${this.#plain(JSON.stringify(reply))}`;
    const { exit_code: code, stdout, stderr } = reply.value;
    const texts: string[] = [];
    if (code !== ran.code) texts.push(`exit code ${code} instead of ${ran.code}`);
    for (const [name, here, there] of [
      ['stdout', stdout, ran.stdout],
      ['stderr', stderr, ran.stderr],
    ] as const) {
      const [first, second] = [this.#plain(here), this.#plain(there)];
      if (first !== second)
        texts.push(
          `${name} ${JSON.stringify(first.slice(0, 600))} instead of ${JSON.stringify(second.slice(0, 600))}`,
        );
    }
    return texts.join('; ');
  }

  /**
   * Without the names of the sides, how bash was called, why a folder that stays in either case could not be removed, and the warning about
   * line ends, which git repeats for files as young as its index.
   */
  #plain(text: string): string {
    return text
      .replaceAll(join(this.#root, INSIDE), '')
      .replaceAll(join(this.#root, BESIDE), '')
      .replaceAll(/^\/bin\/bash: /gm, 'bash: ')
      .replaceAll(/(unable to rmdir '.*'): .*/g, '$1')
      .replaceAll(/^warning: in the working copy of '.*', (LF|CRLF) will be replaced by .*\n?/gm, '')
      .trimEnd();
  }

  #states(): Promise<[GitState, GitState]> {
    return Promise.all([this.#state(INSIDE), this.#state(BESIDE)]);
  }

  async #state(side: string): Promise<GitState> {
    const folder = join(this.#root, side);
    const print = fingerprint(folder);
    const known = this.#known.get(side);
    if (known !== undefined && print !== undefined && known.print === print) return known.state;
    const state = await gitState(join(folder, 'ws'), folder, this.#home);
    this.#known.set(side, { print, state });
    return state;
  }

  /**
   * The plain side becomes a copy of the agent's; pointers of worktrees have its name in them. Again where a file went while
   * it was copied: the server takes its placeholder out of `.git` when the last process is gone, after the answer.
   */
  async #level(): Promise<void> {
    const [from, to] = [join(this.#root, INSIDE), join(this.#root, BESIDE)];
    const script = `copy() { rm -rf ${to} && cp -a ${from} ${to}; }; copy || { sleep 0.2; copy; } || { sleep 1; copy; } && find ${to} \\( -name gitdir -o -name .git \\) -type f -exec sed -i 's|${from}/|${to}/|' {} +`;
    const { code, stderr } = await plainBash(script, this.#root, this.#home);
    if (code !== 0) throw new Error(`The copies could not be made equal again: ${stderr}`);
  }
}

function byHand(workspace: string, step: Exclude<TwinStep, string>): void {
  if ('remove' in step) rmSync(join(workspace, step.remove), { force: true, recursive: true });
  else {
    const path = join(workspace, step.edit);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
  }
}

function describeDifferences(first: GitState, second: GitState): string {
  const found = differences(first, second);
  const lines = found
    .slice(0, 8)
    .map(
      ({ section, only, line }) =>
        `${section} ${only === 'first' ? 'inside' : 'beside'}: ${JSON.stringify(line)}`,
    );
  if (found.length > lines.length) lines.push(`and ${found.length - lines.length} more`);
  return lines.join('\n    ');
}

/** The files in which the sides differ, where all else is as plain git left it; else a name that no answer has. */
function onlyFiles(inside: GitState, beside: GitState): readonly string[] {
  const isOfFiles = (section: string): boolean => ['files', 'index', 'untracked', 'sparse'].includes(section);
  const isMore = differences(inside, beside).some(({ section }) => !isOfFiles(section));
  return isMore ? ['\0'] : [...changedPaths(inside, beside)];
}

/** A protected folder is kept also when nothing is in it any more. */
function isFolderOf(folder: string, path: string): boolean {
  return folder === dirname(path) && folder.includes('/');
}

function policyText(denied: readonly string[]): string {
  const paths = denied.length === 0 ? '' : `  files.read: { denied_paths: ${JSON.stringify(denied)} }\n`;
  return `extends: [builtin:workspace]\ntools:\n${paths}  execute_command:\n    ${MANY_CALLS}\n    env: { set: ${JSON.stringify(FIXED_ENVIRONMENT)} }\n`;
}
