import './cutTip.css';
import { type Box, tipPlace } from './tipPlace.ts';

/** A text beside what it is the whole of. For eyes alone: a screen reader reads cut texts whole. */
export class CutTip {
  readonly #element = document.createElement('div');
  #text = '';

  constructor() {
    this.#element.className = 'cut-tip';
    this.#element.ariaHidden = 'true';
    this.#element.dataset.testid = 'cut-tip';
  }

  get isShown(): boolean {
    return this.#element.isConnected;
  }

  get text(): string {
    return this.#text;
  }

  show(beside: Box, text: string): void {
    this.#text = text;
    this.#element.textContent = text;
    document.body.append(this.#element);
    const { offsetWidth: width, offsetHeight: height } = this.#element;
    const { left, top } = tipPlace(beside, { width, height }, { width: innerWidth, height: innerHeight });
    Object.assign(this.#element.style, { left: `${left}px`, top: `${top}px` });
  }

  /** Until the keyboard moves on. */
  sayCopied(): void {
    this.#element.textContent = 'Copied';
  }

  hide(): void {
    this.#element.remove();
  }
}
