import {
  type CommandPlan,
  type ProgramCall,
  type RedirectedFile,
  wordText,
} from '../../src/domain/command/command-plan.js';

const MODES = { read: 'reads', write: 'writes', append: 'appends to' } as const;

/** The plan in words, one effect a line, for a question to a person and for explain. */
export function describePlan(plan: CommandPlan): readonly string[] {
  const started = plan.programs.filter((call) => !call.possible);
  return [...started.map(describeCall), ...plan.files.map(describeFile)];
}

function describeCall(call: ProgramCall): string {
  const words = [call.program, ...call.args.map(wordText)].map(readable).join(' ');
  const more = call.unseenArguments ? ' … (and arguments from its input)' : '';
  const through = call.via === undefined ? '' : ` through ${call.via}`;
  return `runs ${words}${more}${through}${place(call.directory)}`;
}

function describeFile(file: RedirectedFile): string {
  return `${MODES[file.mode]} ${readable(file.path)}${place(file.directory)}`;
}

function place(directory: string): string {
  return directory === '.' ? '' : ` in ${readable(directory)}`;
}

/** One line, whatever the word holds: a name must not be able to draw a second question on a screen. */
function readable(word: string): string {
  return /^[\w./=:,@%+*?-]+$/.test(word)
    ? word
    : JSON.stringify(word).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
