// Three short responses used by several golden values.
export const example = {
  sampled: [
    [-1, -2, -0.5],
    [-0.7, -1.3],
    [-0.2, -0.4, -1, -3],
  ],
  current: [
    [-0.99, -2.01, -0.48],
    [-0.71, -1.294],
    [-0.24, -0.4, -1, -3],
  ],
  reference: [
    [-1.1, -1.8, -0.5],
    [-0.9, -1.294],
    [-0.24, -0.7, -0.9, -2],
  ],
  advantages: [1, -1, 0.5],
};

export const exampleStep = example.advantages.map((advantage, i) => ({
  advantage,
  current: example.current[i],
  sampled: example.sampled[i],
  reference: example.reference[i],
}));
