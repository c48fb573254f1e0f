import type { ServiceIdentifier } from 'inversify';
import type { TextDigest } from '../../../domain/canonical-json.js';

/** Hashes arguments so that a consent can be bound to them. */
export const ArgumentDigest: ServiceIdentifier<TextDigest> = Symbol.for('castellan.ArgumentDigest');
