import type { Failure } from '../result.js';
import { type CommandRefusal, wordText } from './command-plan.js';
import { hazard } from './command-refusal.js';
import type { OptionLine } from './option-grammar.js';

const ADDRESS = /\s*(?:[0-9]+(?:~[0-9]+)?|\$|\+[0-9]+|~[0-9]+)\s*/y;
const PLAIN_COMMAND = /[pdDPnNgGhHxz=F]\s*/y;
const NUMBERED_COMMAND = /[qQl]\s*[0-9]*\s*/y;
const LABEL_COMMAND = /[btT:][^;\n}]*/y;
/** The text goes on after an escaped line end; an escaped backslash before it escapes nothing. */
const TEXT_COMMAND = /[aic](?:[^\n\\]|\\.)*/sy;
const SUBSTITUTE_FLAGS = /[gpiIM0-9]*/y;

/** Scripts that only print and change text. `w`, `W`, `r`, `R` and `e`, also as flags of `s`, touch files or run. */
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
  // Several -e are lines of one script: a text command may go on in the next.
  const at = unsafeAt(scripts.join('\n'));
  if (at === undefined) return undefined;
  return hazard(
    `The sed script is not understood as harmless from character ${at + 1} on`,
    'use p, d, q, s, y and the like; w, r and e touch files or run programs',
  );
}

/** Where the script stops being understood; undefined where all of it is harmless. */
function unsafeAt(script: string): number | undefined {
  let position = 0;
  let depth = 0;
  while (position < script.length) {
    const character = script.charAt(position);
    if (/[\s;]/.test(character)) {
      position += 1;
      continue;
    }
    if (character === '#') {
      position = lineEnd(script, position);
      continue;
    }
    if (character === '{' || character === '}') {
      depth += character === '{' ? 1 : -1;
      position += 1;
      continue;
    }
    const command = afterAddresses(script, position);
    if (command === undefined) return position;
    const end = script.charAt(command) === '{' ? command : afterCommand(script, command);
    if (end === undefined) return command;
    if (
      end !== command &&
      end < script.length &&
      !/[\s;}]/.test(script.charAt(end)) &&
      !/\s/.test(script.charAt(end - 1))
    ) {
      return end;
    }
    position = end;
  }
  return depth === 0 ? undefined : script.length;
}

function lineEnd(script: string, position: number): number {
  const end = script.indexOf('\n', position);
  return end < 0 ? script.length : end;
}

function afterAddresses(script: string, start: number): number | undefined {
  let position: number | undefined = afterAddress(script, start);
  if (position !== undefined && script.charAt(position) === ',')
    position = afterAddress(script, position + 1);
  if (position === undefined) return undefined;
  const bang = /\s*!*\s*/y;
  return match(bang, script, position);
}

function afterAddress(script: string, start: number): number | undefined {
  const plain = match(ADDRESS, script, start);
  if (plain !== undefined) return plain;
  const blank = match(/\s*/y, script, start) ?? start;
  const custom = script.charAt(blank) === '\\';
  if (!custom && script.charAt(blank) !== '/') return start;
  const end = afterDelimited(script, custom ? blank + 1 : blank);
  return end === undefined ? undefined : match(/[IM]*\s*/y, script, end);
}

function afterCommand(script: string, position: number): number | undefined {
  for (const command of [PLAIN_COMMAND, NUMBERED_COMMAND, LABEL_COMMAND, TEXT_COMMAND]) {
    const end = match(command, script, position);
    if (end !== undefined) return end;
  }
  const letter = script.charAt(position);
  if (letter !== 's' && letter !== 'y') return undefined;
  const first = afterDelimited(script, position + 1);
  const second = first === undefined ? undefined : afterDelimited(script, first - 1);
  if (second === undefined) return undefined;
  return letter === 's' ? match(SUBSTITUTE_FLAGS, script, second) : second;
}

/** Past the closing delimiter. A delimiter inside a bracket expression ends nothing for some seds: refused. */
function afterDelimited(script: string, start: number): number | undefined {
  const delimiter = script.charAt(start);
  if (delimiter === '' || /[\n\\\sA-Za-z0-9]/.test(delimiter)) return undefined;
  for (let position = start + 1; position < script.length; position += 1) {
    const character = script.charAt(position);
    if (character === '\\') position += 1;
    else if (character === delimiter) {
      return bracketsClose(script.slice(start + 1, position)) ? position + 1 : undefined;
    }
  }
  return undefined;
}

/** Linear, whatever the text: each bracket is looked for from where the last one ended. */
function bracketsClose(script: string): boolean {
  const expression = script.replace(/\\./gs, '');
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
