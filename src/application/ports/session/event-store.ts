import type { ServiceIdentifier } from 'inversify';

/** One message of a stream, numbered from 1 within it. */
export interface StreamEvent {
  readonly sequence: number;
  readonly data: string;
}

/** The stored part of a stream. */
export interface KeptStream {
  /** In order. */
  readonly events: readonly StreamEvent[];
  /** True if the stream has ended. */
  readonly ended: boolean;
  /** What its writer stored about it at the start. */
  readonly about: string | undefined;
}

/**
 * Stores the messages of streams, so that a client that lost its connection can resume. Old events may be
 * dropped.
 */
export interface EventStore {
  /** Starts a stream; `about` is returned to the instance that takes it over. */
  begin(sessionId: string, streamId: string, about: string): void;
  append(sessionId: string, streamId: string, event: StreamEvent): void;
  end(sessionId: string, streamId: string): void;
  /** What followed on the stream; undefined if something in between is no longer stored. */
  after(sessionId: string, streamId: string, sequence: number): Promise<KeptStream | undefined>;
  forget(sessionId: string): void;
}

export const EventStore: ServiceIdentifier<EventStore> = Symbol.for('castellan.EventStore');
