import { checkFindWords } from './find-expression.js';
import { HELP, type ProgramSpec, type ProgramTable, READS_LIST, RUNS } from './program-spec.js';

const GREP: ProgramSpec = {
  operands: 'pattern',
  patternOptions: ['-e', '--regexp'],
  inert: true,
  numeric: true,
  flags: 'EFGPiywxzsvcLlqobHhnTZUarRI',
  values: 'eABCmDd',
  long: `extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match max-count= byte-offset line-number line-buffered with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive dereference-recursive include= exclude= exclude-dir= files-without-match files-with-matches count initial-tab null before-context= after-context= context= group-separator= no-group-separator color=? colour=? binary ${HELP}`,
  refused: { '-f': READS_LIST, '--file': READS_LIST, '--exclude-from': READS_LIST },
};

const RG: ProgramSpec = {
  operands: 'pattern-tree',
  patternOptions: ['-e', '--regexp', '--files', '--type-list'],
  flags: 'aciFHIlnNoPpqsSuUvVwx0hL.',
  values: 'ABCdeEgjmMrtTR',
  long: 'after-context= before-context= context= binary block-buffered byte-offset case-sensitive color= colors= column context-separator= count count-matches crlf debug dfa-size-limit= encoding= engine= field-context-separator= field-match-separator= files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive heading hidden iglob= ignore-case include-zero invert-match json line-buffered line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-config no-filename no-heading no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regex-size-limit= regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-add= type-clear= type-list type-not= unrestricted vimgrep with-filename word-regexp help version',
  refused: {
    '--pre': RUNS,
    '--pre-glob': RUNS,
    '--hostname-bin': RUNS,
    '-z': RUNS,
    '--search-zip': RUNS,
    '-f': READS_LIST,
    '--file': READS_LIST,
    '--ignore-file': READS_LIST,
    '--hyperlink-format': 'names a program on the host',
  },
};

const FD: ProgramSpec = {
  operands: 'pattern-tree',
  flags: 'HIusiFagLp0lqh1V',
  values: 'deEtSocj',
  long: 'hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 max-depth= min-depth= exact-depth= exclude= prune type= extension= size= changed-within= changed-before= owner= color= threads= max-results= quiet show-errors one-file-system strip-cwd-prefix path-separator= and= help version',
  refused: {
    '-x': RUNS,
    '--exec': RUNS,
    '-X': RUNS,
    '--exec-batch': RUNS,
    '--ignore-file': READS_LIST,
    '--base-directory': 'changes the folder',
    '-C': 'changes the folder',
    '--search-path': 'hides a folder: put it last',
  },
};

/** Programs that search file names and contents. */
export const SEARCH_PROGRAMS: ProgramTable = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: RG,
  fd: FD,
  fdfind: FD,
  find: { operands: 'tree', checkWords: checkFindWords },
};
