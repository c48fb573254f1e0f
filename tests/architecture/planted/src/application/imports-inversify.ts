import { injectable } from 'inversify';

export const allowed = injectable;
