import type { Failure } from '../../result.js';
import { type CommandRefusal, type CommandWord, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';

/** Words of an expression that take no value. */
const ALONE = new Set(
  '( ) ! , -a -o -and -or -not -true -false -print -print0 -ls -prune -quit -depth -d -mount -xdev -follow -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -empty -readable -writable -executable -nouser -nogroup -help --help -version --version'.split(
    ' ',
  ),
);
/** Words that take the next word as a value. */
const WITH_VALUE = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -lname -ilname -fstype -used -printf'.split(
    ' ',
  ),
);
const HARMFUL: Readonly<Record<string, string>> = {
  '-exec': 'runs another program',
  '-execdir': 'runs another program',
  '-ok': 'runs another program',
  '-okdir': 'runs another program',
  '-delete': 'deletes files',
  '-fprint': 'writes a file',
  '-fprint0': 'writes a file',
  '-fprintf': 'writes a file',
  '-fls': 'writes a file',
  '-files0-from': 'reads names from a file',
};

/** The starting points of a search: the words before the expression, without -H, -L and -P. */
export function findPlaces(args: readonly CommandWord[]): readonly CommandWord[] {
  const words = args.filter((word) => !/^-([HLP]|O[0-9])$/.test(wordText(word)));
  const expression = words.findIndex((word) => /^[-(),!]/.test(wordText(word)));
  return expression < 0 ? words : words.slice(0, expression);
}

export function checkFindWords(args: readonly CommandWord[]): Failure<CommandRefusal> | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index];
    if (word === undefined) break;
    const text = wordText(word);
    const why = Object.hasOwn(HARMFUL, text) ? HARMFUL[text] : undefined;
    if (why !== undefined) {
      return hazard(`find ${text} ${why}`, 'let find print the names, and act on them in another command');
    }
    if (/^-([HLP]|O[0-9])$/.test(text) || ALONE.has(text) || !/^[-(),!]/.test(text)) continue;
    if (!WITH_VALUE.has(text) && !/^-newer[aBcm][aBcmt]$/.test(text))
      return hazard(`find ${text} is not known to be harmless`, 'leave it out');
    index += 1;
    if (args[index]?.kind === 'glob') {
      return hazard(`The value of find ${text} is a pattern that a shell expands`, 'put it in quotes');
    }
  }
  return undefined;
}
