import { planted as other } from '../process/part.js';

export const planted = other;
