// What a person wants in every request, whatever other stages take.
export { pin } from './pin.ts';
