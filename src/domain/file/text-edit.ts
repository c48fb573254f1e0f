import { Result } from '../result.js';
import { nearestLines } from './nearest-lines.js';
import { detectLineEnding, lineOfIndex } from './text-lines.js';

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

export type EditProblem = 'empty-old-text' | 'unchanged' | 'no-match' | 'ambiguous';

export interface EditError {
  readonly kind: EditProblem;
  /** Which edit, counted from 0. */
  readonly index: number;
  readonly message: string;
}

const BOM = '\uFEFF';
const SHOWN_LINES = 5;

/**
 * Applies exact replacements one after another, all or none. Texts are compared with the file's own line
 * endings, so that an edit written with `\n` fits a file with `\r\n`; a byte order mark stays where it is.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): Result<string, EditError> {
  const bom = text.startsWith(BOM) ? BOM : '';
  const ending = detectLineEnding(text);
  let current = text.slice(bom.length);
  for (const [index, edit] of edits.entries()) {
    const applied = applyOne(current, edit, index, ending);
    if (!applied.success) return applied;
    current = applied.value;
  }
  return Result.ok(bom + current);
}

function applyOne(text: string, edit: TextEdit, index: number, ending: string): Result<string, EditError> {
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
  // A mixed file is first tried exactly as the edit is written.
  const exact = text.includes(edit.oldText);
  const oldText = exact ? edit.oldText : withEnding(edit.oldText, ending);
  const newText = withEnding(
    edit.newText,
    exact && !edit.oldText.includes('\n') ? ending : endingOf(oldText, ending),
  );
  const places = placesOf(text, oldText);
  if (places.length === 0) return failed('no-match', index, missMessage(text, edit.oldText));
  if (places.length > 1 && edit.replaceAll !== true) {
    return failed('ambiguous', index, ambiguousMessage(text, places));
  }
  return Result.ok(text.split(oldText).join(newText));
}

function withEnding(text: string, ending: string): string {
  return text.replace(/\r\n|\n/g, ending);
}

/** New lines get the ending that the replaced ones had. */
function endingOf(matched: string, fallback: string): string {
  return matched.includes('\r\n') ? '\r\n' : matched.includes('\n') ? '\n' : fallback;
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function ambiguousMessage(text: string, places: readonly number[]): string {
  const lines = places.slice(0, SHOWN_LINES).map((place) => lineOfIndex(text, place));
  const more = places.length > SHOWN_LINES ? ', …' : '';
  return (
    `old_text occurs ${places.length} times, at lines ${lines.join(', ')}${more}. ` +
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
