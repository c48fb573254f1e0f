import type { ServiceIdentifier } from 'inversify';

/** A port for tools of tests; in a file of its own, as where it is declared the token is a mere symbol. */
export interface Greeter {
  greet(name: string): string;
}

export const Greeter: ServiceIdentifier<Greeter> = Symbol.for('test.Greeter');
