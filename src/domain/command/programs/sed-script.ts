import type { Failure } from '../../result.js';
import { type CommandRefusal, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';
import type { OptionLine } from './option-grammar.js';

/**
 * Implementations of sed differ in where a label, a text or an expression ends, and a few characters can turn
 * text into a command. So each line of a script must be understood on its own: nothing may continue on the
 * next line, and each command must have an end on which all implementations agree.
 */
const ADDRESS = /(?:[0-9]+(?:~[0-9]+)?|\$|[+~][0-9]+)[ \t]*/y;
const EXPRESSION_FLAGS = /[IM]*[ \t]*/y;
const NEGATION = /!?[ \t]*/y;
/** Commands that consist of one letter. */
const PLAIN_COMMAND = /[pdDPnNgGhHxz=F]/y;
const NUMBERED_COMMAND = /[qQl][ \t]*[0-9]*/y;
/** GNU ends a label at a blank and continues; others take the rest of the line as its name. */
const LABEL = /:[ \t]*[A-Za-z0-9_.-]+/y;
const JUMP = /[btT](?:[ \t]*[A-Za-z0-9_.-]+)?/y;
/** The rest of the line is text; a backslash at its end would include the next line. */
const TEXT_COMMAND = /[aic](?:[^\\]|\\.)*$/y;
const SUBSTITUTE_FLAGS = /[gpiImM0-9]*/y;
const BLANKS = /[ \t]*/y;

/**
 * Accepts scripts that only print and change text. `w`, `W`, `r`, `R` and `e`, also as flags of `s`, access
 * files or run programs.
 */
export function checkSedLine(line: OptionLine): Failure<CommandRefusal> | undefined {
  const given = line.options.filter((option) => option.name === '-e' || option.name === '--expression');
  const scripts = given.map((option) => option.value ?? '');
  if (scripts.length === 0) {
    const first = line.operands[0];
    if (first === undefined) return undefined;
    if (first.word.kind === 'glob')
      return hazard('A pattern in the place of a sed script', 'quote the script');
    scripts.push(wordText(first.word));
  }
  const at = unsafeAt(scripts.join('\n'));
  if (at === undefined) return undefined;
  return hazard(
    `The sed script is not understood as harmless from character ${at + 1} on`,
    'use p, d, q, s, y and the like, each command ended by ; or a line end; w, r and e touch files or run programs',
  );
}

/** The position where the script is no longer understood; undefined if all of it is harmless. */
function unsafeAt(script: string): number | undefined {
  let start = 0;
  const blocks = { open: 0 };
  let isText = false;
  for (const line of script.split('\n')) {
    const at = isText ? unsafeInText(line) : unsafeInLine(line, blocks);
    isText = !isText && opensText(line);
    if (at !== undefined) return start + at;
    start += line.length + 1;
  }
  return blocks.open === 0 && !isText ? undefined : script.length;
}

/** `a\\` alone on a line: every sed takes the next line as text. */
function opensText(line: string): boolean {
  const start = match(BLANKS, line, 0) ?? 0;
  const command = afterAddresses(line, start);
  return command !== undefined && /^[aic][ \t]*\\$/.test(line.slice(command));
}

/** Refuses a trailing backslash: implementations differ in whether the next line is then text. */
function unsafeInText(line: string): number | undefined {
  return line.endsWith('\\') ? line.length - 1 : undefined;
}

function unsafeInLine(line: string, blocks: { open: number }): number | undefined {
  let position = 0;
  if (opensText(line)) return undefined;
  while (position < line.length) {
    const character = line.charAt(position);
    if (character === '#') return undefined;
    if (/[ \t;]/.test(character)) {
      position += 1;
      continue;
    }
    const end = afterStatement(line, position, blocks);
    if (end === undefined || blocks.open < 0) return position;
    position = end;
  }
  return undefined;
}

/** The position after one command with its addresses, or after one brace. */
function afterStatement(line: string, start: number, blocks: { open: number }): number | undefined {
  if (line.charAt(start) === '}') {
    blocks.open -= 1;
    return ended(line, start + 1);
  }
  const command = afterAddresses(line, start);
  if (command === undefined) return undefined;
  if (line.charAt(command) === '{') {
    blocks.open += 1;
    return command + 1;
  }
  const end = afterCommand(line, command);
  return end === undefined ? undefined : ended(line, end);
}

/** A command ends at a semicolon, a closing brace, a comment or the end of the line, and nowhere else. */
function ended(line: string, position: number): number | undefined {
  const end = match(BLANKS, line, position) ?? position;
  return end === line.length || /[;}#]/.test(line.charAt(end)) ? end : undefined;
}

function afterAddresses(line: string, start: number): number | undefined {
  let position = afterAddress(line, start);
  if (position !== undefined && position > start && line.charAt(position) === ',') {
    const second = match(BLANKS, line, position + 1) ?? position + 1;
    position = afterAddress(line, second);
    if (position === second) return undefined;
  }
  return position === undefined ? undefined : match(NEGATION, line, position);
}

/** The position after an address; `start` if there is none. */
function afterAddress(line: string, start: number): number | undefined {
  const plain = match(ADDRESS, line, start);
  if (plain !== undefined) return plain;
  const custom = line.charAt(start) === '\\';
  if (!custom && line.charAt(start) !== '/') return start;
  const end = afterDelimited(line, custom ? start + 1 : start, 'expression');
  return end === undefined ? undefined : match(EXPRESSION_FLAGS, line, end);
}

function afterCommand(line: string, position: number): number | undefined {
  for (const command of [PLAIN_COMMAND, NUMBERED_COMMAND, LABEL, JUMP, TEXT_COMMAND]) {
    const end = match(command, line, position);
    if (end !== undefined) return end;
  }
  const letter = line.charAt(position);
  if (letter !== 's' && letter !== 'y') return undefined;
  const first = afterDelimited(line, position + 1, letter === 's' ? 'expression' : 'text');
  const second = first === undefined ? undefined : afterDelimited(line, first - 1, 'text');
  if (second === undefined) return undefined;
  return letter === 's' ? match(SUBSTITUTE_FLAGS, line, second) : second;
}

/**
 * The position after the closing delimiter. Refused if a delimiter is inside a bracket expression, which ends
 * it in some implementations.
 */
function afterDelimited(line: string, start: number, kind: 'expression' | 'text'): number | undefined {
  const delimiter = line.charAt(start);
  // Some implementations use only the first byte of a multi-byte delimiter.
  if (!/^[!-/:-@[\]-`{-~]$/.test(delimiter)) return undefined;
  for (let position = start + 1; position < line.length; position += 1) {
    const character = line.charAt(position);
    if (character === '\\') position += 1;
    else if (character === delimiter) {
      const isWhole = kind === 'text' || bracketsClose(line.slice(start + 1, position));
      return isWhole ? position + 1 : undefined;
    }
  }
  return undefined;
}

/** Linear in the text: each bracket is searched from where the last one ended. */
function bracketsClose(text: string): boolean {
  const expression = text.replace(/\\./gs, '');
  let open = expression.indexOf('[');
  while (open >= 0) {
    const close = expression.indexOf(']', open + (expression.charAt(open + 1) === '^' ? 3 : 2));
    if (close < 0) return false;
    open = expression.indexOf('[', close + 1);
  }
  return true;
}

function match(expression: RegExp, text: string, position: number): number | undefined {
  expression.lastIndex = position;
  return expression.test(text) ? expression.lastIndex : undefined;
}
