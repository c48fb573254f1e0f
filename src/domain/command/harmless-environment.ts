import type { Failure } from '../result.js';
import { type CommandRefusal, type CommandWord, wordText } from './command-plan.js';
import { hazard } from './command-refusal.js';
import { readOptions } from './programs/option-grammar.js';
import { wrapperGrammar } from './wrapper-grammar.js';

/** Variables that change how output looks, not which code runs. */
const HARMLESS =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|NODE_ENV|DEBUG|VERBOSE|LOG_LEVEL|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|SOURCE_DATE_EPOCH)$/;

/** `LD_PRELOAD=x env-run program` is a different program: only variables known to be harmless may be set. */
export function checkEnvironment(args: readonly CommandWord[]): Failure<CommandRefusal> | undefined {
  const grammar = wrapperGrammar('env');
  const line = grammar === undefined ? undefined : readOptions('env', grammar, args);
  if (line === undefined || !line.success) return line;
  for (const { word } of line.value.operands) {
    const text = wordText(word);
    const equals = text.indexOf('=');
    // env treats every word with an equals sign as a variable, even one without a name.
    if (equals < 0 && text !== '-') return undefined;
    const name = text.slice(0, equals);
    // Time zones and locales are looked up as files.
    const isPath = /^[:/~]|(^|\/)\.\.(\/|$)/.test(text.slice(equals + 1));
    if (text !== '-' && (!HARMLESS.test(name) || isPath)) {
      return hazard(
        `env ${name}=… may change which code runs`,
        'leave the variable out, or pass it in env, where the policy lists the names',
      );
    }
  }
  return undefined;
}
