// Repertoire as a resources server of NeMo-Gym, which NeMo-RL trains with. Its configuration is ours; the trainer's is NeMo-RL's.
import { findPlugin, needed, type TrainerExport } from "./trainer.ts";

export const nemoGym: TrainerExport = {
  name: "nemo-gym",
  bonus: false,
  plugins: ["nemo-gym/app.py", "nemo-gym/turns.py", "rewards/repertoire_rewards"],
  data: "jsonl",
  row: ({ prompt, reward_model, data_source }) => ({
    responses_create_params: {
      input: (typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt).map(({ role, content }) => ({
        role,
        content,
        type: "message",
      })),
    },
    ground_truth: reward_model.ground_truth,
    data_source,
    agent_ref: { type: "responses_api_agents", name: "repertoire_simple_agent" },
  }),
  settings: ({ model, stage }) => {
    const { temperature, topP, maxTokens, rolloutsPerProblem } = stage;
    return { model, temperature, top_p: topP, max_output_tokens: maxTokens, num_repeats: rolloutsPerProblem };
  },
  files: () => ({
    "repertoire.yaml": `repertoire:
  resources_servers:
    repertoire:
      entrypoint: app.py
      domain: games
      verified: false
      description: Puzzles with exactly one solution, graded by Repertoire
repertoire_simple_agent:
  responses_api_agents:
    simple_agent:
      entrypoint: app.py
      resources_server:
        type: resources_servers
        name: repertoire
      model_server:
        type: responses_api_models
        name: policy_model
      datasets:
      - name: train
        type: train
        jsonl_fpath: resources_servers/repertoire/data/train.jsonl
        license: Apache 2.0
      - name: validation
        type: validation
        jsonl_fpath: resources_servers/repertoire/data/test.jsonl
        license: Apache 2.0
`,
    "requirements.txt": "-e nemo-gym[dev] @ ../../\n",
  }),
  launch: () => [
    needed("NEMO_GYM", "set it to a checkout of NeMo-Gym"),
    'place="$NEMO_GYM/resources_servers/repertoire"',
    'mkdir -p "$place/configs" "$place/data"',
    'cp -r plugin/. "$place/" && cp requirements.txt "$place/"',
    'cp repertoire.yaml "$place/configs/" && cp train.jsonl test.jsonl "$place/data/"',
    findPlugin,
    'cd "$NEMO_GYM"',
    'ng_run "+config_paths=[resources_servers/repertoire/configs/repertoire.yaml,responses_api_models/vllm_model/configs/vllm_model_for_training.yaml]" "$@"',
  ],
  differences: [
    "In turns, with every broken rule said between them: `entrypoint: turns.py` (NeMo-Gym's /reset and /step) and its gymnasium_agent.",
    "NeMo-Gym runs environments; what trains is NeMo-RL, whose configuration is its own. settings.json has the paper's sampling for its rollouts.",
    "The reward server's token is read from REPERTOIRE_TOKEN by our resources server: it is in no file.",
    "There is no place for the novelty bonus: an environment sees one rollout, never its group or a reference.",
  ],
  memory: ["Nothing of it is decided here: see the training configuration of NeMo-RL."],
};
