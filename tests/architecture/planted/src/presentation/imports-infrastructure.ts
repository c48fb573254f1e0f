import { planted as other } from '../infrastructure/cycle-one.js';

export const planted = other;
