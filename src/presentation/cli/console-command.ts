import type { Result } from '../../domain/result.js';
import type { Person } from './approve-command.js';
import type { ExitCode, Output } from './output.js';

/** The pages, served. */
export interface ConsolePages {
  /** An address that opens them for one browser, once. */
  link(): string;
  close(): Promise<void>;
}

export interface ConsoleSetup {
  readonly pinSet: boolean;
  unlock(pin: string): Promise<Result<string>>;
  serve(key: string): Promise<ConsolePages>;
}

const NO_TERMINAL =
  'The console needs a person at a terminal, and this process has none. Run castellan console in a terminal of your own.';
const NO_PIN = 'No PIN is set. Set one with castellan approve --set-pin, then start the console.';
const NEXT = 'It opens the pages once, within 5 minutes. Enter: another address. Ctrl-C: end.';

/** `castellan console`: the PIN first, then pages until the person ends them. Addresses are shown to the person alone. */
export async function consoleCommand(
  setup: ConsoleSetup,
  person: Person | undefined,
  output: Output,
): Promise<ExitCode> {
  if (person === undefined || !setup.pinSet) {
    output.err(person === undefined ? NO_TERMINAL : NO_PIN);
    return 4;
  }
  const pin = await person.secret('PIN: ');
  if (pin === undefined) return 130;
  const unlocked = await setup.unlock(pin);
  if (!unlocked.success) {
    output.err(unlocked.error);
    return 1;
  }
  const pages = await setup.serve(unlocked.value);
  try {
    let goesOn = true;
    while (goesOn) goesOn = (await person.ask(`\n${pages.link()}\n${NEXT}\n`)) !== undefined;
    return 0;
  } finally {
    await pages.close();
  }
}
