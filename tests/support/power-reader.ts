import { outsideDependencies } from '../../src/domain/permission/path/dependency-folders.js';
import { isInside } from '../../src/domain/permission/path/normal-path.js';
import { PathRules } from '../../src/domain/permission/path/path-rules.js';
import {
  CREDENTIAL_CONFIGS,
  PROTECTED_PATHS,
  SECRET_PATHS,
  type SensitivePath,
} from '../../src/domain/permission/path/sensitive-paths.js';
import { WORKSPACE } from './policy-bench.js';

/*
 * Reads the statement of power as a person would: from its sentences alone, without the policy. What it concludes about
 * a call is compared with what the policy decides.
 */

type Access = 'read' | 'change' | 'read and change';

interface Place {
  readonly covers: (path: string) => boolean;
  /** A folder on the way to it. */
  readonly isBelow: (folder: string) => boolean;
}

interface PathSentence {
  readonly tools: readonly string[];
  readonly access: Access;
  readonly places: readonly Place[];
  readonly inside: readonly (readonly Place[])[];
  readonly never: readonly Place[];
}

const at = { file: '', line: 1, column: 1 };

function compiled(rules: readonly SensitivePath[]): PathRules {
  const result = PathRules.compile(rules.map((rule) => ({ ...rule, at })));
  if (!result.success) throw new Error(result.error);
  return result.value;
}

const SECRETS = compiled(SECRET_PATHS);
const UNREAD = compiled([...SECRET_PATHS, ...CREDENTIAL_CONFIGS]);
const PROTECTED = compiled(PROTECTED_PATHS);
const SPARED = outsideDependencies(WORKSPACE, PROTECTED);
const UNCHANGED = { covers: (path: string): boolean => PROTECTED.covers(path) && !SPARED.covers(path) };

/** "git's own and .castellan", of which nobody is asked. */
const NEVER_ASKED = compiled(
  ['**/.git', '**/.gitconfig', '**/.config/git', '**/.castellan'].map((pattern) => ({ pattern })),
);
const ASKS_PROTECTED =
  /^asks a person first \(ask\) to change a protected file, by its name; git’s own and \.castellan never$/;

function patternOf(words: string): string {
  if (words === 'the whole workspace') return WORKSPACE;
  if (words === 'every path of the machine') return '*';
  return words.startsWith('./') ? `${WORKSPACE}${words.slice(1)}` : words;
}

function placeOf(words: string): Place {
  const [, name = words, without] = /^(.*?)(?: \((without secrets|but not .*)\))?$/.exec(words) ?? [];
  const except = without?.startsWith('but not ')
    ? without.slice('but not '.length).split(' and ').map(patternOf)
    : [];
  const rules = compiled([{ pattern: patternOf(name), ...(except.length > 0 && { except }) }]);
  return {
    isBelow: (folder) => isInside(patternOf(name), folder),
    covers: (path) => rules.covers(path) && !(without === 'without secrets' && SECRETS.covers(path)),
  };
}

const placesOf = (words: string): readonly Place[] => words.split(/, (?![^(]*\))/).map(placeOf);

const leads = (places: readonly Place[], folder: string): boolean =>
  places.some(({ isBelow }) => isBelow(folder));

/** `git push|fetch with --force (but not git push origin)` as a test of words. */
function matcherOf(words: string): (call: readonly string[]) => boolean {
  const [, rule = words, except] = /^(.*?)(?: \(but not (.*)\))?$/.exec(words) ?? [];
  const [named = '', flags] = rule.split(' with ');
  const tokens = named.split(' ').map((token) => token.split('|'));
  const excepted = (except?.split(' and ') ?? []).map(matcherOf);
  return (call) =>
    tokens.every((some, index) => {
      const word = call[index];
      return word !== undefined && (some.includes('*') || some.includes(word));
    }) &&
    (flags === undefined || flags.split(' or ').some((flag) => call.includes(flag))) &&
    !excepted.some((matches) => matches(call));
}

const STRICTNESS = ['allow', 'ask', 'always', 'explicit'];
const strictest = (modes: readonly string[]): string =>
  modes.reduce(
    (first, second) => (STRICTNESS.indexOf(second) > STRICTNESS.indexOf(first) ? second : first),
    'allow',
  );

export class PowerReader {
  readonly unread: string[] = [];
  readonly #paths: PathSentence[] = [];
  readonly #named: PathSentence[] = [];
  readonly #askingProtected = new Set<string>();
  readonly #asking: (PathSentence & { readonly mode: string })[] = [];
  readonly #calls = new Map<string, string>();
  readonly #runs: ((call: readonly string[]) => boolean)[] = [];
  readonly #never: ((call: readonly string[]) => boolean)[] = [];
  #byHook = false;
  readonly #files: Omit<PathSentence, 'tools' | 'places'>[] = [];
  readonly #questions: { readonly mode: string; readonly matches: (call: readonly string[]) => boolean }[] =
    [];

  constructor(lines: readonly string[]) {
    for (const line of lines) if (!this.#readPaths(line) && !this.#readOthers(line)) this.unread.push(line);
  }

  #readPaths(line: string): boolean {
    const [, body = '', tools] = /^(.*) \[([^[]*)\]$/.exec(line) ?? [];
    if (tools === undefined) return false;
    const names = tools.split(', ');
    const named = /^may (read|change) (.*), a (?:secret|protected file) that the policy names$/.exec(body);
    const asks = /^asks a person first \((\w+)\) to (read and change|read|change) (.*)$/.exec(body);
    const may = /^may (read and change|read|change) (.*?)((?:; only inside .*?)*)(?:; never (.*))?$/.exec(
      body,
    );
    const sentence = (access = '', places = '', inside = '', never?: string): PathSentence => ({
      tools: names,
      access: access === 'read' || access === 'change' ? access : 'read and change',
      places: placesOf(places),
      inside: inside.split('; only inside ').slice(1).map(placesOf),
      never: never === undefined ? [] : placesOf(never),
    });
    if (ASKS_PROTECTED.test(body)) for (const name of names) this.#askingProtected.add(name);
    else if (named) this.#named.push(sentence(named[1], named[2]));
    else if (asks) this.#asking.push({ ...sentence(asks[2], asks[3]), mode: asks[1] ?? '' });
    else if (may) this.#paths.push(sentence(may[1], may[2], may[3], may[4]));
    else return false;
    return true;
  }

  #readOthers(line: string): boolean {
    const calls = /^may call (.*)$/.exec(line);
    const asksToCall = /^asks a person first \((\w+)\) to call (.*)$/.exec(line);
    const never = /^never runs (.*?)(?: where a command line shows it.*)?$/.exec(line);
    const every = /^may run any code .*: \S+ allows every program/.exec(line);
    const code =
      /^may run any code (?:inside the sandbox .*?\)|without a sandbox.*? do): (.*?) (?:runs what it is given|executes .*)$/.exec(
        line,
      );
    const runs = /^may run (?!the same commands )(.*?) (?:inside the sandbox|without a sandbox).*$/.exec(
      line,
    );
    const before = /^asks a person first \((\w+)\) before (.*)$/.exec(line);
    const files =
      /^names files to (read|change) in commands: (?:only inside (.*?))?(?:(?:; |^|(?<=: ))never (.*))?$/.exec(
        line,
      );
    if (files) {
      const [, access, inside, never] = files;
      this.#files.push({
        access: access === 'read' ? 'read' : 'change',
        inside: inside === undefined ? [] : [placesOf(inside)],
        never: never === undefined ? [] : placesOf(never),
      });
    } else if (calls) for (const name of (calls[1] ?? '').split(', ')) this.#calls.set(name, 'allow');
    else if (asksToCall)
      for (const name of (asksToCall[2] ?? '').split(', ')) this.#calls.set(name, asksToCall[1] ?? '');
    else if (never) this.#never.push(...(never[1] ?? '').split('; ').map(matcherOf));
    else if (every) this.#runs.push(() => true);
    else if (code) this.#runs.push(matcherOf(code[1] ?? ''));
    else if (runs) this.#runs.push(...(runs[1] ?? '').split('; ').map(matcherOf));
    else if (before) {
      for (const words of (before[2] ?? '').split('; '))
        this.#questions.push({
          mode: before[1] ?? '',
          matches: words === 'every command' ? () => true : matcherOf(words),
        });
    } else if (/^may run the same commands by a client's own shell, outside of every sandbox, /.test(line))
      this.#byHook = true;
    else
      return /^(?:may ask |may let git |\S+ only with arguments)|^may do nothing$|^reads no secret and changes no protected file/.test(
        line,
      );
    return true;
  }

  path(tool: string, access: Access, path: string): string {
    const about = <T extends PathSentence>(sentences: readonly T[]): readonly T[] =>
      sentences.filter((sentence) => sentence.access === access && sentence.tools.includes(tool));
    const covered = (places: readonly Place[]): boolean => places.some(({ covers }) => covers(path));
    const may = about(this.#paths).some(
      ({ places, inside, never }) =>
        covered(places) &&
        inside.every((bound) => covered(bound) || (access === 'read' && leads(bound, path))) &&
        !covered(never),
    );
    const named = this.#named.filter(({ tools, places }) => tools.includes(tool) && covered(places));
    const isOpen = (kind: Access, guarded: Pick<Place, 'covers'>): boolean =>
      !access.includes(kind) || !guarded.covers(path) || named.some((sentence) => sentence.access === kind);
    if (!may || !isOpen('read', UNREAD)) return 'deny';
    const isKept = !isOpen('change', UNCHANGED);
    if (isKept && (!this.#askingProtected.has(tool) || NEVER_ASKED.covers(path))) return 'deny';
    const modes = about(this.#asking)
      .filter(({ places }) => covered(places))
      .map(({ mode }) => mode);
    return strictest(isKept ? [...modes, 'ask'] : modes);
  }

  #mayRead(path: string): boolean {
    const covered = (places: readonly Place[]): boolean => places.some(({ covers }) => covers(path));
    return this.#files.every(
      ({ access, inside, never }) =>
        access !== 'read' ||
        (inside.every((bound) => covered(bound) || leads(bound, path)) && !covered(never)),
    );
  }

  call(tool: string): string {
    return this.#calls.get(tool) ?? 'deny';
  }

  command(line: string): string {
    const words = line.split(' ');
    if (words[0] === 'cat' && !this.#mayRead(`${WORKSPACE}/${words[1]}`)) return 'deny';
    // Without an argument it lists the folder that it starts in.
    if (words[0] === 'ls' && !this.#mayRead(WORKSPACE)) return 'deny';
    if (this.#never.some((matches) => matches(words))) return 'deny';
    if (!this.#runs.some((matches) => matches(words))) return 'deny';
    return strictest(this.#questions.filter(({ matches }) => matches(words)).map(({ mode }) => mode));
  }

  /** The same line in the shell of a client that asks the hook. */
  commandByHook(line: string): string {
    return this.#byHook ? this.command(line) : 'deny';
  }
}
