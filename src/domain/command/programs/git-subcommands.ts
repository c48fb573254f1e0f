import type { OptionGrammar } from './option-grammar.js';
import { READS_LIST, RUNS, WRITES } from './program-spec.js';

const DIFF =
  'patch no-patch raw patch-with-raw patch-with-stat unified= indent-heuristic no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat=? numstat shortstat dirstat=? cumulative summary compact-summary name-only name-status color=? no-color color-moved=? color-moved-ws= word-diff=? word-diff-regex= color-words=? no-renames check full-index binary abbrev=? no-abbrev find-renames=? find-copies=? find-copies-harder diff-filter= pickaxe-all pickaxe-regex relative=? no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules=? submodule=? no-prefix default-prefix cached staged merge-base';
const LOG =
  'oneline pretty=? format= abbrev-commit no-abbrev-commit decorate=? no-decorate graph all branches=? tags=? remotes=? max-count= skip= since= after= until= before= author= committer= grep= invert-grep all-match regexp-ignore-case extended-regexp fixed-strings perl-regexp merges no-merges first-parent follow full-history reverse date= date-order topo-order author-date-order no-walk=? walk-reflogs source left-right cherry cherry-pick cherry-mark simplify-by-decoration ancestry-path full-diff log-size no-notes notes=? no-mailmap use-mailmap boundary count parents children left-only right-only objects stdin relative-date';
const HARMFUL = {
  '--output': WRITES,
  '--ext-diff': RUNS,
  '--textconv': RUNS,
  '--no-index': 'reads any file',
  '-O': 'names a program or a file of patterns',
  '--open-files-in-pager': RUNS,
  '--exec': RUNS,
  '--upload-pack': RUNS,
  '--receive-pack': RUNS,
  '--show-signature': RUNS,
  '--gpg-sign': RUNS,
  '--template': 'copies hooks from a folder',
  '--file': READS_LIST,
  '--pathspec-from-file': READS_LIST,
};
const FLAGS = 'puRWabwz';

const diff = {
  flags: `${FLAGS}q`,
  optional: 'MCBUlD',
  values: 'GSX',
  numeric: true,
  long: DIFF,
  refused: HARMFUL,
} as const;
const log = { ...diff, flags: `${FLAGS}qicEFPtgms`, values: 'GSnLX', long: `${DIFF} ${LOG}` } as const;
const plain = (flags: string, long: string, values = ''): OptionGrammar => ({
  flags,
  values,
  long,
  refused: HARMFUL,
});

/** Options of each subcommand that neither run a program nor access a file by name. */
export const GIT_SUBCOMMANDS: Readonly<Record<string, OptionGrammar>> = {
  status: {
    flags: 'sbvz',
    optional: 'u',
    long: 'short branch show-stash porcelain=? long verbose untracked-files=? ignored=? ignore-submodules=? ahead-behind no-ahead-behind renames no-renames find-renames=? column=? no-column',
  },
  diff,
  log,
  show: log,
  whatchanged: log,
  'rev-list': log,
  'diff-tree': {
    ...diff,
    flags: `${FLAGS}qrtmsc`,
    long: `${DIFF} root no-commit-id stdin pretty=? merge-base`,
  },
  'diff-index': diff,
  'diff-files': diff,
  shortlog: { ...log, flags: 'nsec', values: 'w', long: `${LOG} numbered summary email group= committer` },
  reflog: log,
  blame: {
    flags: 'bcefklnpstw',
    optional: 'MC',
    values: 'L',
    long: 'root show-stats porcelain line-porcelain incremental date= progress no-progress show-name show-number show-email abbrev= since= color-lines color-by-age minimal',
    refused: { '--contents': 'reads any file', '--ignore-revs-file': READS_LIST, '-S': READS_LIST },
  },
  annotate: { flags: 'lt', values: 'L', long: 'porcelain' },
  grep: {
    flags: 'aiIwvhHEFGPnlLzcpWqr',
    values: 'eABCm',
    numeric: true,
    long: 'cached untracked text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color=? no-color break heading show-function context= after-context= before-context= function-context max-count= and or not all-match quiet max-depth= recursive no-recursive threads=',
    refused: { ...HARMFUL, '-f': READS_LIST, '-O': RUNS },
  },
  branch: {
    flags: 'arvlqDdmMcCi',
    optional: 't',
    values: 'u',
    long: 'all remotes list verbose abbrev=? no-abbrev show-current contains=? no-contains=? merged=? no-merged=? points-at= format= sort= color=? no-color column=? no-column quiet delete force move copy set-upstream-to= unset-upstream track=? no-track ignore-case',
    refused: { '--edit-description': RUNS },
  },
  tag: {
    flags: 'ldaf',
    optional: 'n',
    values: 'm',
    long: 'list delete annotate force message= contains=? no-contains=? merged=? no-merged=? points-at= sort= format= color=? column=? ignore-case create-reflog',
    refused: {
      '-s': RUNS,
      '-u': RUNS,
      '-v': RUNS,
      '--sign': RUNS,
      '--verify': RUNS,
      '-F': READS_LIST,
      '-e': RUNS,
      '--edit': RUNS,
    },
  },
  remote: plain('v', 'verbose'),
  'rev-parse': plain(
    'q',
    'verify quiet short=? abbrev-ref=? show-toplevel show-cdup show-prefix is-inside-work-tree is-inside-git-dir is-bare-repository git-dir absolute-git-dir git-common-dir show-superproject-working-tree symbolic symbolic-full-name all branches=? tags=? remotes=? show-ref-format',
  ),
  'ls-files': {
    flags: 'cdomiukstvz',
    values: 'x',
    long: 'cached deleted others modified ignored stage unmerged killed exclude= exclude-standard directory no-empty-directory error-unmatch full-name recurse-submodules abbrev=? eol deduplicate format=',
    refused: { '-X': READS_LIST, '--exclude-from': READS_LIST, '--exclude-per-directory': READS_LIST },
  },
  'ls-tree': plain('drtlz', 'long name-only name-status full-name full-tree abbrev=? format= object-only'),
  'cat-file': plain('tsep', 'batch=? batch-check=? batch-all-objects buffer unordered allow-unknown-type'),
  'merge-base': plain('a', 'all octopus independent is-ancestor fork-point'),
  'name-rev': plain('', 'tags refs= exclude= all name-only always no-undefined'),
  'for-each-ref': plain(
    '',
    'count= sort= format= points-at= merged=? no-merged=? contains=? no-contains=? color=? ignore-case omit-empty',
  ),
  'show-ref': plain('dqs', 'head heads tags branches dereference hash=? verify abbrev=? quiet exists'),
  'symbolic-ref': plain('q', 'quiet short'),
  describe: plain(
    '',
    'all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty=? broken=?',
  ),
  'check-ignore': plain('qvzn', 'quiet verbose stdin non-matching'),
  cherry: plain('v', 'abbrev=?'),
  'count-objects': plain('vH', 'verbose human-readable'),
  version: plain('', 'build-options'),
  help: plain('ag', 'all guides'),
  stash: plain(
    'pukaq',
    'patch include-untracked keep-index no-keep-index all quiet message= index stat name-only staged',
    'm',
  ),
  worktree: plain('vz', 'porcelain verbose'),
  add: plain(
    'nvuAfN',
    'dry-run verbose force update all no-all ignore-removal intent-to-add refresh ignore-errors renormalize',
  ),
  commit: {
    flags: 'avqns',
    values: 'mC',
    long: 'all message= verbose quiet dry-run short porcelain amend no-edit no-verify signoff allow-empty reuse-message= author= date= status no-status no-gpg-sign only include',
    refused: { ...HARMFUL, '-F': READS_LIST, '-t': READS_LIST, '-e': RUNS, '--edit': RUNS, '-c': RUNS },
  },
  restore: plain('WSq', 'worktree staged quiet source= ours theirs merge conflict= overlay no-overlay', 's'),
  checkout: plain(
    'qfbBdlmt',
    'quiet force detach track=? no-track orphan= ours theirs merge conflict= overlay no-overlay progress no-progress',
  ),
  switch: plain(
    'qfdmt',
    'quiet force detach create= force-create= discard-changes merge guess no-guess track=? no-track orphan=',
    'cC',
  ),
  reset: plain('qN', 'soft mixed hard keep merge quiet intent-to-add'),
  rm: plain('fnrq', 'force dry-run cached ignore-unmatch quiet'),
  mv: plain('fnkv', 'force dry-run verbose'),
  merge: plain(
    'qvn',
    'no-commit commit no-edit ff no-ff ff-only squash abort continue quit stat no-stat no-verify quiet verbose',
    'mX',
  ),
  'cherry-pick': plain('xn', 'no-commit abort continue quit skip ff allow-empty', 'mX'),
  revert: plain('n', 'no-commit no-edit abort continue quit skip', 'm'),
  fetch: plain(
    'apqtvnf',
    'all prune tags no-tags depth= deepen= unshallow dry-run quiet verbose force progress',
    'j',
  ),
  pull: plain('qvn', 'ff-only rebase=? no-rebase quiet verbose prune tags no-tags'),
  push: plain(
    'unqvfd',
    'set-upstream dry-run quiet verbose tags follow-tags force force-with-lease=? delete all porcelain',
  ),
  clean: plain('ndfxXq', 'dry-run force quiet exclude=', 'e'),
  init: plain('q', 'quiet bare initial-branch=', 'b'),
};
