import { Result } from '../result.js';
import { nearestLines } from './nearest-lines.js';
import { detectLineEnding, lineOfIndex } from './text-lines.js';

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

export type EditProblem =
  | 'empty-old-text'
  | 'unchanged'
  | 'no-match'
  | 'ambiguous'
  | 'too-large'
  | 'too-much-work';

export interface EditError {
  readonly kind: EditProblem;
  /** Which edit, counted from 0. */
  readonly index: number;
  readonly message: string;
}

const BOM = '\uFEFF';
const SHOWN_LINES = 5;
/** The cost of a match relative to the cost of a character. */
const MATCH_COST = 64;

export interface EditLimits {
  /** The maximum length of the text after each edit: one edit may multiply it, and the next again. */
  readonly maxLength: number;
  /** The maximum number of characters searched plus matches replaced, over all edits. */
  readonly maxWork: number;
}

export const EDIT_LIMITS: EditLimits = { maxLength: 64 * 1024 * 1024, maxWork: 1024 * 1024 * 1024 };

export interface EditedText {
  readonly text: string;
  /** The number of places replaced, over all edits. */
  readonly replaced: number;
}

interface Applied extends EditedText {
  readonly work: number;
}

/**
 * Applies exact replacements in order, all or none. Texts are compared with the file's own line endings, so
 * that an edit with `\n` fits a file with `\r\n`; a byte order mark is kept.
 */
export function applyEdits(
  text: string,
  edits: readonly TextEdit[],
  limits: EditLimits = EDIT_LIMITS,
): Result<EditedText, EditError> {
  const bom = text.startsWith(BOM) ? BOM : '';
  const ending = detectLineEnding(text);
  let current = text.slice(bom.length);
  let [work, replaced] = [0, 0];
  for (const [index, edit] of edits.entries()) {
    const applied = applyOne(current, edit, index, ending, { ...limits, maxWork: limits.maxWork - work });
    if (!applied.success) return applied;
    current = applied.value.text;
    work += applied.value.work;
    replaced += applied.value.replaced;
  }
  return Result.ok({ text: bom + current, replaced });
}

function applyOne(
  text: string,
  edit: TextEdit,
  index: number,
  ending: string,
  limits: EditLimits,
): Result<Applied, EditError> {
  if (edit.oldText === '') {
    return failed(
      'empty-old-text',
      index,
      'old_text must not be empty; use write_file to write a whole file.',
    );
  }
  if (edit.oldText === edit.newText) {
    return failed('unchanged', index, 'old_text and new_text are the same; nothing would change.');
  }
  // In a file with mixed line endings, the edit is first tried exactly as written.
  const exact = text.includes(edit.oldText);
  const oldText = exact ? edit.oldText : withEnding(edit.oldText, ending);
  const newText = withEnding(
    edit.newText,
    exact && !edit.oldText.includes('\n') ? ending : endingOf(oldText, ending),
  );
  const { count, first } = placesOf(text, oldText);
  if (count === 0) return failed('no-match', index, missMessage(text, edit.oldText));
  if (count > 1 && edit.replaceAll !== true) {
    return failed('ambiguous', index, ambiguousMessage(text, count, first));
  }
  // Checked before the text is built: one that exceeds memory would crash the server.
  const length = text.length + count * (newText.length - oldText.length);
  if (length > limits.maxLength) return failed('too-large', index, largeMessage(length, limits.maxLength));
  const work = text.length + length + count * MATCH_COST;
  if (work > limits.maxWork) {
    return failed('too-much-work', index, 'the edits are too much work for one call; make fewer at a time.');
  }
  return Result.ok({ text: text.split(oldText).join(newText), replaced: count, work });
}

function largeMessage(length: number, most: number): string {
  return (
    `the text would grow to ${length} characters, and at most ${most} are allowed here. ` +
    'Replace fewer places, or write less in each.'
  );
}

function withEnding(text: string, ending: string): string {
  return text.replace(/\r\n|\n/g, ending);
}

/** New lines get the ending of the replaced ones. */
function endingOf(matched: string, fallback: string): string {
  return matched.includes('\r\n') ? '\r\n' : matched.includes('\n') ? '\n' : fallback;
}

/** The number of occurrences, and the positions of the first few. */
function placesOf(text: string, part: string): { readonly count: number; readonly first: readonly number[] } {
  const first: number[] = [];
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    if (first.length < SHOWN_LINES) first.push(at);
    count += 1;
  }
  return { count, first };
}

function ambiguousMessage(text: string, count: number, first: readonly number[]): string {
  const lines = first.map((place) => lineOfIndex(text, place));
  const more = count > SHOWN_LINES ? ', …' : '';
  return (
    `old_text occurs ${count} times, at lines ${lines.join(', ')}${more}. ` +
    'Add surrounding lines until it is unique, or set replace_all.'
  );
}

function missMessage(text: string, oldText: string): string {
  const nearest = nearestLines(text, oldText);
  if (nearest === undefined) {
    return 'old_text does not occur in the file, and nothing in it is similar. Read the file again and copy the text exactly.';
  }
  return (
    `old_text does not occur in the file. The nearest text is at line ${nearest.line}` +
    `${nearest.onlySpaces ? ' and differs only in white space' : ''}:\n${nearest.hint}\n` +
    'Copy the text of the file exactly, without line numbers.'
  );
}

function failed(kind: EditProblem, index: number, message: string) {
  const error: EditError = { kind, index, message: `Edit ${index + 1}: ${message}` };
  return Result.failure(error, 'EditError');
}
