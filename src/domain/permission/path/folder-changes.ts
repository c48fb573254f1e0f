import { type CommandWord, type ProgramCall, wordText } from '../../command/command-plan.js';
import { findPlaces } from '../../command/programs/find-expression.js';
import { gitSubcommand } from '../../command/programs/git-options.js';
import { removedOperands } from '../../command/programs/removed-operands.js';
import { ADRIFT, enterDirectory } from '../../command/working-directory.js';
import { programName } from '../../command/wrapper.js';
import { DEPENDENCY_FOLDERS } from './dependency-folders.js';

/** A directory that a program empties, removes or refills. */
export interface FolderChange {
  /** As written: `npm`, `rm`. */
  readonly program: string;
  /** Relative to the call's own directory. */
  readonly directory: string;
  /** Relative to `directory`. */
  readonly word: CommandWord;
  /** `packages`: only directories of single packages are replaced, and files beside them stay. */
  readonly extent: 'all' | 'packages';
}

type Change = Pick<FolderChange, 'word' | 'extent'>;

/** The directory of a package manager, and the subcommands that change it; '' means a call without one. */
interface Manager {
  readonly folders: readonly string[];
  readonly all?: string;
  readonly packages?: string;
}

const NODE = ['node_modules'];
const PYTHON = ['.venv', 'venv'];
const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: {
    folders: NODE,
    all: 'ci clean-install ic install-clean isntall-clean cit install-ci-test clean-install-test sit',
    packages:
      'install i in ins inst insta instal isnt isnta isntal isntall add it install-test uninstall un unlink remove rm r update up upgrade udpate prune dedupe ddp',
  },
  pnpm: {
    folders: NODE,
    packages: 'install i add remove rm uninstall un update up upgrade prune dedupe import',
  },
  yarn: { folders: NODE, packages: ' install add remove upgrade up dedupe' },
  bun: { folders: NODE, packages: 'install i add a remove rm update' },
  pip: { folders: PYTHON, packages: 'install uninstall' },
  uv: { folders: PYTHON, packages: 'pip sync add remove' },
  poetry: { folders: PYTHON, packages: 'install add remove update sync' },
  bundle: { folders: ['vendor/bundle', '.bundle'], packages: 'install update clean add remove' },
  composer: { folders: ['vendor'], packages: 'install i update u upgrade remove rm require r' },
  cargo: { folders: ['target'], all: 'clean' },
  mvn: { folders: ['target'], all: 'clean' },
  go: { folders: ['vendor'], all: 'mod' },
};
/** Options that name the directory to work in. */
const INTO = /^(?:--prefix|-C|--dir|--cwd|--directory|--working-dir|-d|--target-dir)$/;
/** Options whose value is the next word. */
const VALUED =
  /^(?:--registry|-w|--workspace|--filter|-F|--userconfig|--cache|--loglevel|--manifest-path|-f|--file|--python)$/;
const CHANGES_NOTHING = /^(?:-g|--global|--dry-run|--package-lock-only|--lockfile-only|--help|-h|--version)$/;

/**
 * The directories that these programs remove or replace. Only what their words show: scripts have other ways,
 * and words that a shell computes name no directory here.
 */
export function folderChanges(programs: readonly ProgramCall[]): readonly FolderChange[] {
  return programs
    .filter(({ possible, directory }) => possible !== true && directory !== ADRIFT)
    .flatMap((call) =>
      changesOf(call).map((change) => ({ ...change, program: call.program, directory: call.directory })),
    );
}

function changesOf(call: ProgramCall): readonly Change[] {
  const name = programName(call.program).replace(/^(pip|python)[\d.]+$/, '$1');
  switch (name) {
    case 'rm':
      return whole(removedOperands(call.args));
    case 'find':
      return whole(foundFolders(call.args));
    case 'git':
      return whole(cleanedFolders(call.args));
    case 'python': {
      const [flag, module, ...rest] = call.args.map(wordText);
      return flag === '-m' && module === 'pip' ? managed('pip', call.program, rest) : [];
    }
    default:
      return managed(name, call.program, call.args.map(wordText));
  }
}

function whole(words: readonly CommandWord[]): readonly Change[] {
  return words
    .filter((word) => word.kind === 'literal' || word.unseen !== true)
    .map((word) => ({ word, extent: 'all' }));
}

/** `find . -name node_modules -prune -exec rm -rf {} +`, and `find node_modules -delete`. */
function foundFolders(args: readonly CommandWord[]): readonly CommandWord[] {
  const words = args.map(wordText);
  const removes = words.includes('-delete') || words.some((word) => programName(word) === 'rm');
  if (!removes) return [];
  const places = findPlaces(args);
  const named = words.flatMap((word, index) => (words[index - 1] === '-name' ? [word] : []));
  if (named.length === 0) return places.filter((word) => isDependencyFolder(wordText(word)));
  // At any depth: each pattern crosses one directory.
  return named
    .filter(isDependencyFolder)
    .flatMap((name) =>
      (places.length === 0 ? ['.'] : places.map(wordText)).flatMap((place) =>
        ['', '*/', '*/*/', '*/*/*/'].map(
          (between): CommandWord =>
            between === ''
              ? { kind: 'literal', text: `${place}/${name}` }
              : { kind: 'glob', pattern: `${place}/${between}${name}` },
        ),
      ),
    );
}

function isDependencyFolder(path: string): boolean {
  return DEPENDENCY_FOLDERS.some((name) => path === name || path.endsWith(`/${name}`));
}

/** `git clean -fdx` removes ignored files, and dependency directories are ignored. */
function cleanedFolders(args: readonly CommandWord[]): readonly CommandWord[] {
  const subcommand = gitSubcommand(args);
  if (subcommand?.name !== 'clean') return [];
  const rest = args.slice(subcommand.index + 1);
  const words = rest.map(wordText);
  const has = (letter: string): boolean =>
    words.some((word) => new RegExp(`^-[a-zA-Z]*${letter}`).test(word));
  if (has('n') || words.includes('--dry-run') || !(has('x') || has('X')) || !has('d')) return [];
  const folder = subcommand.folders.reduce(enterDirectory, '.');
  const named = rest.filter((word, index) => !wordText(word).startsWith('-') && words[index - 1] !== '-e');
  if (named.length === 0) return [{ kind: 'literal', text: folder }];
  return named.map((word) =>
    word.kind === 'literal' ? { kind: 'literal', text: enterDirectory(folder, word.text) } : word,
  );
}

function managed(name: string, program: string, words: readonly string[]): readonly Change[] {
  const manager = Object.hasOwn(MANAGERS, name) ? MANAGERS[name] : undefined;
  if (manager === undefined || words.some((word) => CHANGES_NOTHING.test(word))) return [];
  const { subcommand, folder } = readWords(words);
  const isOneOf = (list: string | undefined): boolean => list?.split(' ').includes(subcommand) === true;
  const extent = isOneOf(manager.all) ? 'all' : isOneOf(manager.packages) ? 'packages' : undefined;
  if (extent === undefined || (name === 'go' && !words.includes('vendor'))) return [];
  // A program of a virtual environment works in that environment.
  const own = /^(.*)\/bin\/[^/]+$/.exec(program)?.[1];
  const folders = manager.folders === PYTHON && own !== undefined ? [own] : manager.folders;
  return folders.map((below) => ({ word: { kind: 'literal', text: enterDirectory(folder, below) }, extent }));
}

/** The first word that is neither an option nor the value of one, and the directory that options name. */
function readWords(words: readonly string[]): { readonly subcommand: string; readonly folder: string } {
  let subcommand: string | undefined;
  let folder = '.';
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [option = '', value] = word.split(/=(.*)/s);
    if (INTO.test(option)) {
      if (value === undefined) index += 1;
      folder = enterDirectory(folder, value ?? words[index] ?? '.');
    } else if (VALUED.test(word)) index += 1;
    else if (!word.startsWith('-')) subcommand ??= word;
  }
  return { subcommand: subcommand ?? '', folder };
}
