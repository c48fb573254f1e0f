import type { ServiceIdentifier } from 'inversify';

/** One message of a stream, numbered from 1 within it. */
export interface StreamEvent {
  readonly sequence: number;
  readonly data: string;
}

/** What is kept of a stream. */
export interface KeptStream {
  /** In order. */
  readonly events: readonly StreamEvent[];
  /** Nothing more will come. */
  readonly ended: boolean;
  /** What its writer said about it when it began. */
  readonly about: string | undefined;
}

/** Keeps what streams carried, so that a client that lost its connection can resume. Old events may be forgotten. */
export interface EventStore {
  /** A stream begins; `about` is told to whoever takes it over. */
  begin(sessionId: string, streamId: string, about: string): void;
  append(sessionId: string, streamId: string, event: StreamEvent): void;
  end(sessionId: string, streamId: string): void;
  /** What followed on the stream; undefined where something in between is no longer kept. */
  after(sessionId: string, streamId: string, sequence: number): Promise<KeptStream | undefined>;
  forget(sessionId: string): void;
}

export const EventStore: ServiceIdentifier<EventStore> = Symbol.for('castellan.EventStore');
