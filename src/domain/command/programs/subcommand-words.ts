import { type CommandWord, wordText } from '../command-plan.js';
import { givesFlag } from './flags.js';
import { isGitCommand } from './git-commands.js';

type Tokens = readonly (readonly string[])[];

/** The known words of a call; words that a wrapper adds are not known in advance. */
export interface SeenWords {
  readonly program: string;
  readonly args: readonly CommandWord[];
  /** True if further words come from the input of a wrapper. */
  readonly unseenArguments?: boolean;
  /** Texts in the words that a wrapper replaces. */
  readonly placeholders?: readonly string[];
}

const ANY = '*';

/** Programs that accept any prefix of a subcommand. */
const ABBREVIATING = new Set([
  'npm',
  'hg',
  'ip',
  'tc',
  'nmcli',
  'composer',
  'gradle',
  'gradlew',
  'bzr',
  'brz',
  'lxc',
  'svnlook',
  'artisan',
  'console',
  'fossil',
  'nft',
  'bridge',
  'devlink',
  'networkctl',
  'apt-mark',
  'virtualbox',
]);

/** Other names of the same subcommand. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: {
    run: 'run-script rum urn',
    install: 'i in ins inst insta instal isnt isnta isntal isntall add',
    ci: 'clean-install ic install-clean isntall-clean',
    uninstall: 'un unlink remove rm r',
    test: 't tst',
    exec: 'x',
    update: 'up upgrade udpate',
    owner: 'author',
    access: 'a',
  },
  pnpm: {
    install: 'i',
    add: 'i install',
    remove: 'rm uninstall un',
    run: 'run-script',
    update: 'up upgrade',
    publish: 'pub',
  },
  cargo: { build: 'b', run: 'r', check: 'c', test: 't', doc: 'd', remove: 'rm' },
  git: { add: 'stage' },
  svn: {
    commit: 'ci',
    checkout: 'co',
    delete: 'del remove rm',
    update: 'up',
    copy: 'cp',
    move: 'mv rename ren',
  },
  brew: { uninstall: 'rm remove', install: 'instal' },
  docker: { rm: 'remove', rmi: 'remove' },
  podman: { rm: 'remove', rmi: 'remove' },
  terraform: { destroy: 'apply' },
  kubectl: { exec: 'debug' },
};

/** Groups that repeat top-level subcommands: `docker container rm` is `docker rm`. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  docker: ['container', 'image', 'builder', 'system', 'buildx', 'compose'],
  podman: ['container', 'image', 'system'],
  nerdctl: ['container', 'image', 'system', 'builder'],
};

/**
 * Returns true if a call may be the one that a rule's words name, wherever options are and whichever of them
 * take values. Only options, and one word after each, may be in between. In doubt true: for denies and
 * consent.
 */
export function mayName(tokens: Tokens, call: SeenWords): boolean {
  const { args } = call;
  if (tokens.length > 0 && mayBeAlias(call)) return true;
  // The possible positions of each word: a word after an option may be its value or not.
  let places = new Set([0]);
  for (const alternatives of tokens) {
    const next = new Set<number>();
    for (const start of places) {
      for (const at of candidates(args, start, call)) {
        const word = args[at];
        if (word === undefined) {
          if (call.unseenArguments) return true;
        } else if (mayBe(word, alternatives, call)) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    places = next;
  }
  return true;
}

/**
 * A word that is not a git command is an alias from the repository's settings, or a typo that git corrects.
 */
function mayBeAlias(call: SeenWords): boolean {
  if (call.program !== 'git') return false;
  const words = candidates(call.args, 0, call).map((index) => call.args[index]);
  const subcommand = words.at(-1);
  if (subcommand === undefined) return false;
  return words.every((word) => word !== undefined && !isGitCommand(wordText(word)));
}

/** The positions from `start` on where the next significant word may be. */
function candidates(args: readonly CommandWord[], start: number, call: SeenWords): readonly number[] {
  const found: number[] = [];
  let afterOption = false;
  for (let index = start; index <= args.length; index += 1) {
    const word = args[index];
    found.push(index);
    if (word === undefined) break;
    const text = wordText(word);
    const isOption = /^[-+]./.test(text);
    const isGroup = GROUPS[call.program]?.includes(text) ?? false;
    if (!isOption && !afterOption && !isGroup) break;
    afterOption = isOption && text !== '--';
  }
  return found;
}

function mayBe(word: CommandWord, alternatives: readonly string[], call: SeenWords): boolean {
  if (alternatives.includes(ANY) || word.kind === 'glob') return true;
  if (call.placeholders?.some((placeholder) => word.text.includes(placeholder))) return true;
  return alternatives.some((alternative) => isSame(call.program, word.text, alternative));
}

function isSame(program: string, word: string, wanted: string): boolean {
  if (word === wanted) return true;
  const aliases = Object.hasOwn(ALIASES, program) ? ALIASES[program] : undefined;
  if (aliases !== undefined && Object.hasOwn(aliases, wanted) && aliases[wanted]?.split(' ').includes(word))
    return true;
  if (wanted.startsWith('-')) return givesFlag(word, wanted);
  return ABBREVIATING.has(program) && word !== '' && wanted.startsWith(word);
}

/** Returns true if one of the flags may be among a call's words. */
export function mayGive(flags: readonly string[], call: SeenWords): boolean {
  // The expansion of an alias may contain any flag.
  if (call.unseenArguments || mayBeAlias(call)) return true;
  return call.args.some(
    (word) => (word.kind === 'glob' && word.unseen) || flags.some((flag) => givesFlag(wordText(word), flag)),
  );
}
