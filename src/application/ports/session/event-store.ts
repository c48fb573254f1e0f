import type { ServiceIdentifier } from 'inversify';

/** One message of a stream, numbered from 1 within it. */
export interface StreamEvent {
  readonly sequence: number;
  readonly data: string;
}

/** Keeps what streams carried, so that a client that lost its connection can resume. Old events may be forgotten. */
export interface EventStore {
  append(sessionId: string, streamId: string, event: StreamEvent): void;
  /** What followed on the stream, in order; undefined where something in between is no longer kept. */
  after(sessionId: string, streamId: string, sequence: number): Promise<readonly StreamEvent[] | undefined>;
  forget(sessionId: string): void;
}

export const EventStore: ServiceIdentifier<EventStore> = Symbol.for('castellan.EventStore');
