import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { JsonValue } from '../../domain/json-value.js';
import { builtinRedactor } from './redaction.js';

/** What logs and audit hold on to, while the policy behind it is reloaded. */
export class SwitchableRedactor implements Redactor {
  #redactor: Redactor = builtinRedactor;

  use(redactor: Redactor): void {
    this.#redactor = redactor;
  }

  text(text: string): string {
    return this.#redactor.text(text);
  }

  value(value: unknown): JsonValue {
    return this.#redactor.value(value);
  }
}
