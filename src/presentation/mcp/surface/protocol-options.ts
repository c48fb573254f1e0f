import type { ServiceIdentifier } from 'inversify';
import type { AnswerStyle } from '../../answers/answer-style.js';
import type { ErrorStyle } from './error-mapping.js';

export interface ProtocolOptions {
  readonly errorStyle: ErrorStyle;
  readonly answers: AnswerStyle;
  /** How many tokens a text answer may have, estimated; absent: any number. */
  readonly answerTokens?: number;
  readonly maxMessageBytes: number;
  readonly server: { readonly name: string; readonly title: string; readonly version: string };
  /** What the model is told at initialize about working with this server. */
  readonly instructions: string;
}

export const ProtocolOptions: ServiceIdentifier<ProtocolOptions> = Symbol.for('castellan.ProtocolOptions');
