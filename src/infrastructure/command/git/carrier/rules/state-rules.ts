/** What of a file passes: its bytes, other bytes in their place, or undefined: it stays inside. */
type StateRule = (bytes: Buffer) => Buffer | undefined;

const HASH = '(?:[0-9a-f]{40}|[0-9a-f]{64})';
const MIB = 1024 * 1024;
const QUOTED = "'(?:[^']|'\\\\['!]')*'";
const STRATEGY = '(?:ort|recursive|resolve|octopus|ours|subtree)';

const matching =
  (pattern: RegExp): StateRule =>
  (bytes) =>
    pattern.test(bytes.toString('latin1')) ? bytes : undefined;

const text =
  (maxBytes: number): StateRule =>
  (bytes) =>
    bytes.length <= maxBytes && !bytes.includes(0) ? bytes : undefined;

const hashes = matching(new RegExp(`^(?:${HASH}\\n?)*$`));
const log = matching(new RegExp(`^(?:${HASH} ${HASH} [^\\n\\0]*> -?\\d+ [+-]\\d{4}(?:\\t[^\\n\\0]*)?\\n)*$`));
// Older gits evaluate these two in a shell.
const author = matching(new RegExp(`^(?:GIT_AUTHOR_(?:NAME|EMAIL|DATE)=${QUOTED}\\n?)*$`));
const quotedWords = matching(new RegExp(`^\\s*(?:${QUOTED}\\s*)*$`));
/** `git-merge-NAME` would be run. */
const strategy = matching(new RegExp(`^${STRATEGY}\\n?$`));
// `--unsafe-paths --directory` writes anywhere.
const applyOptions = matching(
  /^\s*(?:'(?:-p\d+|-C\d+|--whitespace=[a-z-]+|--ignore-space-change|--ignore-whitespace|--no-[\w-]+|--3way|-3)'\s*)*$/,
);
const pickOptions = matching(
  new RegExp(
    `^(?:\\[options\\]\\n|\\s(?:no-commit|edit|signoff|record-origin|allow-ff|allow-empty|allow-empty-message|keep-redundant-commits|mainline|allow-rerere-auto|default-msg-cleanup|strategy-option) = [\\w"= .:/-]*\\n|\\sstrategy = ${STRATEGY}\\n)*$`,
  ),
);
const TODO_LINE =
  /^\s*(?:$|#|(?:pick|p|revert|edit|e|reword|r|fixup|f|squash|s|drop|d|label|l|reset|t|merge|m|update-ref|u)\s|(?:noop|break|b)\s*$)/;

/** Lines that run something stay inside; the rest of the list passes. */
const todo: StateRule = (bytes) => {
  const all = text(16 * MIB)(bytes);
  const lines = all?.toString('utf8').split('\n');
  return lines && Buffer.from(lines.filter((line) => TODO_LINE.test(line)).join('\n'));
};

/** Files of a git folder that are data, and what of them passes. Everything else never does. */
const RULES: readonly (readonly [RegExp, StateRule])[] = [
  [
    /^(MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|ORIG_HEAD|REBASE_HEAD|AUTO_MERGE|BISECT_HEAD|BISECT_EXPECTED_REV|BISECT_ANCESTORS_OK|MERGE_AUTOSTASH|NOTES_MERGE_PARTIAL|shallow)$/,
    hashes,
  ],
  [/^NOTES_MERGE_REF$/, matching(/^(?:ref: )?refs\/notes\/\S+\n?$/)],
  [
    /^(MERGE_MSG|SQUASH_MSG|COMMIT_EDITMSG|TAG_EDITMSG|MERGE_MODE|MERGE_RR|FETCH_HEAD|description|BRANCH_DESCRIPTION|NOTES_EDITMSG|BISECT_LOG|BISECT_TERMS|BISECT_START|BISECT_FIRST_PARENT)$/,
    text(8 * MIB),
  ],
  [/^BISECT_NAMES$/, quotedWords],
  // Of a linked worktree: where its files lie, and why it must not be pruned.
  [/^gitdir$/, matching(/^\/[^\n\0]*\/\.git\n?$/)],
  [/^locked$/, text(8_192)],
  [/^info\/(exclude|sparse-checkout|attributes)$/, text(8 * MIB)],
  [/^rebase-merge\/(git-rebase-todo(\.backup)?|done)$|^sequencer\/todo$/, todo],
  [/^rebase-(merge|apply)\/author-script$/, author],
  [
    /^(rebase-merge\/(onto|orig-head|stopped-sha|squash-onto|amend|autostash|current-fixups-oid)|sequencer\/(head|abort-safety))$/,
    hashes,
  ],
  [/^rebase-merge\/strategy$/, strategy],
  [
    /^rebase-merge\/(head-name|interactive|msgnum|end|quiet|verbose|signoff|no-reschedule-failed-exec|reschedule-failed-exec|drop_redundant_commits|keep_redundant_commits|allow_rerere_autoupdate|rewritten-list|rewritten-pending|message|message-squash|message-fixup|current-fixups|patch|update-refs|refs-to-delete|cdate_is_adate|ignore_date|dropped)$/,
    text(8 * MIB),
  ],
  [
    /^rebase-apply\/(\d{4}|next|last|head-name|onto|orig-head|rebasing|applying|quiet|utf8|keep|keepcr|threeway|messageid|message-id|scissors|sign|dirtyindex|abort-safety|original-commit|final-commit|info|msg|msg-clean|patch|rewritten|no-reread|quoted-cr|autostash|allow_rerere_autoupdate)$/,
    text(64 * MIB),
  ],
  [/^rebase-apply\/apply-opt$/, applyOptions],
  [/^sequencer\/opts$/, pickOptions],
  [/^logs\/(HEAD|refs\/.+)$/, log],
  [/^rr-cache\/[0-9a-f]{40,64}\/(pre|post)image(\.\d+)?$/, text(64 * MIB)],
];

/** Where data lies that is not in the folder itself or below logs. */
export const STATE_FOLDERS = ['info', 'rebase-merge', 'rebase-apply', 'sequencer', 'rr-cache'];

export function isData(name: string): boolean {
  return RULES.some(([pattern]) => pattern.test(name));
}

/** Files that only the folder of a linked worktree has. */
export function isOfWorktree(name: string): boolean {
  return name === 'gitdir' || name === 'locked';
}

/** What of these bytes passes under this name; undefined: nothing. */
export function passing(name: string, bytes: Buffer): Buffer | undefined {
  return RULES.find(([pattern]) => pattern.test(name))?.[1](bytes);
}

/** Made again by every operation: where both sides wrote one, nothing is lost. */
export function isPassing(name: string): boolean {
  return /^(COMMIT_EDITMSG|ORIG_HEAD|FETCH_HEAD|MERGE_RR|TAG_EDITMSG)$/.test(name);
}
