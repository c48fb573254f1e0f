import type { Failure } from '../../result.js';
import { type CommandRefusal, type CommandWord, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';
import { type OptionGrammar, readOptions } from './option-grammar.js';
import { HELP, READS_LIST, RUNS } from './program-spec.js';

const UNPACKS = 'writes files: only listing (tar -tf) is known to be harmless';
const TAR: OptionGrammar = {
  flags: 'tvzjJaOkp',
  values: 'f',
  long: `list verbose gzip bzip2 xz zstd auto-compress file= wildcards no-wildcards full-time exclude= ${HELP}`,
  refused: {
    '-I': RUNS,
    '--use-compress-program': RUNS,
    '--to-command': RUNS,
    '--checkpoint-action': RUNS,
    '--info-script': RUNS,
    '--new-volume-script': RUNS,
    '--rsh-command': RUNS,
    '--rmt-command': RUNS,
    '-F': RUNS,
    '-x': UNPACKS,
    '--extract': UNPACKS,
    '--get': UNPACKS,
    '-c': UNPACKS,
    '--create': UNPACKS,
    '-r': UNPACKS,
    '-u': UNPACKS,
    '-A': UNPACKS,
    '--delete': UNPACKS,
    '-T': READS_LIST,
    '--files-from': READS_LIST,
    '-X': READS_LIST,
    '--exclude-from': READS_LIST,
    '-C': 'changes the folder',
    '--directory': 'changes the folder',
    '--index-file': 'writes a file',
  },
};

/** `tar tf x` is `tar -t -f x`: the first word may be options without a dash. */
export function checkTarWords(args: readonly CommandWord[]): Failure<CommandRefusal> | undefined {
  const first = args[0];
  if (first === undefined) return undefined;
  // In the old form the value of f is the next word even if letters follow it; so f must be last.
  if (/^[^-].*f./s.test(wordText(first)))
    return hazard('tar with letters after f', 'write f last: tar -tzf FILE');
  const line = readOptions('tar', TAR, dashed(args));
  if (!line.success) return line;
  const names = line.value.options.map((option) => option.name);
  if (names.includes('--help') || names.includes('--version')) return undefined;
  if (!names.includes('-t') && !names.includes('--list'))
    return hazard(`tar ${UNPACKS}`, 'write tar -tf FILE');
  if (tarArchives(args).some((archive) => archive.includes(':'))) {
    return hazard('tar reads an archive from another machine', 'name a local file');
  }
  return undefined;
}

/** The archives that a listing reads. */
export function tarArchives(args: readonly CommandWord[]): readonly string[] {
  const line = readOptions('tar', TAR, dashed(args));
  if (!line.success) return [];
  const archives = line.value.options.filter((option) => option.name === '-f' || option.name === '--file');
  return archives.map((option) => option.value ?? '');
}

function dashed(args: readonly CommandWord[]): readonly CommandWord[] {
  const [first, ...rest] = args;
  if (first === undefined || wordText(first).startsWith('-')) return args;
  return [{ kind: 'literal', text: `-${wordText(first)}` }, ...rest];
}
