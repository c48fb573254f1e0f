import { inputWork } from '../../../domain/tool/input-size.js';
import { TURN_CHARACTERS, type Turns } from '../../ports/system/turns.js';

/** Arguments longer than this take long enough to delay other callers. */
const LONG_ARGUMENTS = 16 * 1024;

/** Lets other calls run between the steps of a call with long arguments. */
export class CallPace {
  readonly #work: number;

  constructor(
    args: unknown,
    private readonly turns: Turns,
  ) {
    this.#work = inputWork(args, TURN_CHARACTERS);
  }

  /** Resolves when the next step may start: immediately if the arguments are short. */
  async step(): Promise<void> {
    if (this.#work > LONG_ARGUMENTS) await this.turns.take(this.#work);
  }
}
