// A reply that says no, in the words of whoever was asked.

export class Refused extends Error {
  override name = "Refused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
