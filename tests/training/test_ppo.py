"""The update: its gradient against plain autograd, masks, ratios, and what must stay still."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import kitchentable as kt
from kitchentable import Batch
from kitchentable_training import kernels
from kitchentable_training.config import TrainConfig
from kitchentable_training.network import NetworkConfig, PolicyNetwork, masked_log_probabilities
from kitchentable_training.ppo import PPO, DivergedError
from kitchentable_training.rollout import Rollout, Samples
from kitchentable_training.seating import Seating
from kitchentable_training.trainer import make_critic

CLIP, ENTROPY, MAGNET, TEACHER = 0.2, 0.03, 0.4, 0.7
N, N_ACTIONS = 400, 30


def case(seed: int = 0) -> dict[str, Any]:
    """Rows of which some have one legal action, and ratios on both sides of the clip."""
    generator = np.random.default_rng(seed)
    masks = generator.random((N, N_ACTIONS)) < 0.15
    masks[np.arange(N), generator.integers(0, N_ACTIONS, N)] = True
    masks[:20] = False
    masks[:20, 4] = True
    lots = generator.random((N, N_ACTIONS)) * masks
    return {
        "logits": generator.normal(size=(N, N_ACTIONS)).astype(np.float32),
        "magnet": generator.normal(size=(N, N_ACTIONS)).astype(np.float32),
        "masks": masks,
        "actions": lots.argmax(axis=1).astype(np.int32),
        "advice": (generator.random((N, N_ACTIONS)) * masks).argmax(axis=1).astype(np.int32),
        "noise": generator.normal(size=N).astype(np.float32) * 0.3,
        "advantages": generator.normal(size=N).astype(np.float32),
    }


def by_autograd(
    given: dict[str, Any], magnet_coef: float, teacher_coef: float
) -> tuple[Any, dict[int, float], Any]:
    """Return gradient, means and old log-probabilities, from the formulas."""
    masks = torch.from_numpy(given["masks"])
    logits = torch.from_numpy(given["logits"]).requires_grad_()
    log_p = masked_log_probabilities(logits, masks)
    log_m = masked_log_probabilities(torch.from_numpy(given["magnet"]), masks)
    taken = log_p.gather(1, torch.from_numpy(given["actions"]).long()[:, None])[:, 0]
    old = (taken + torch.from_numpy(given["noise"])).detach()
    choices = masks.sum(dim=1) > 1
    log_ratio = (taken - old)[choices]
    ratio = log_ratio.exp()
    pull = torch.from_numpy(given["advantages"])[choices]
    surrogate = torch.maximum(-pull * ratio, -pull * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
    p = log_p.exp()
    entropy = -(p * log_p).sum(dim=1)[choices].mean()
    distance = (p * torch.where(masks, log_p - log_m, 0)).sum(dim=1)[choices].mean()
    advised = log_p.gather(1, torch.from_numpy(given["advice"]).long()[:, None])[:, 0]
    imitation = -advised[choices].mean()
    loss = surrogate - ENTROPY * entropy + magnet_coef * distance + teacher_coef * imitation
    torch.autograd.backward(loss)
    means = {
        kernels.POLICY_LOSS: float(surrogate.detach()),
        kernels.ENTROPY: float(entropy.detach()),
        kernels.OLD_KL: float(-log_ratio.detach().mean()),
        kernels.KL: float((ratio - 1 - log_ratio).detach().mean()),
        kernels.CLIPPED: float(((ratio - 1).abs() > CLIP).float().mean()),
        kernels.MAGNET_KL: float(distance.detach()) if magnet_coef else 0.0,
        kernels.TEACHER_LOSS: float(imitation.detach()) if teacher_coef else 0.0,
    }
    assert logits.grad is not None
    return logits.grad.numpy(), means, old.numpy()


def by_kernel(
    given: dict[str, Any], magnet_coef: float, teacher_coef: float, old: Any
) -> tuple[Any, Any]:
    gradient = np.zeros((N, N_ACTIONS), np.float32)
    rows = np.arange(N)
    starts, legal = kernels.list_legal(given["masks"])
    totals = np.zeros(kernels.N_TOTALS)
    kernels.policy_gradient(
        given["logits"],
        given["magnet"],
        rows,
        starts,
        legal,
        given["actions"],
        given["advice"],
        old,
        given["advantages"],
        1 / max((given["masks"].sum(axis=1) > 1).sum(), 1),
        CLIP,
        ENTROPY,
        magnet_coef,
        teacher_coef,
        gradient,
        totals,
    )
    written = gradient.copy()
    kernels.clear_gradient(gradient, rows, starts, legal)
    assert not gradient.any()
    return written, totals


def masks_of(samples: Samples, n_actions: int = 3) -> NDArray[np.bool_]:
    """The legal actions of all samples, as masks."""
    masks = np.zeros((len(samples.starts) - 1, n_actions), np.bool_)
    for row, mask in enumerate(masks):
        mask[samples.legal[samples.starts[row] : samples.starts[row + 1]]] = True
    return masks


def forced_to(samples: Samples, rows: NDArray[np.int64]) -> Samples:
    """The samples with only the action taken legal in these rows."""
    masks = masks_of(samples)
    masks[rows] = False
    masks[rows, samples.actions[rows]] = True
    samples.choices[rows] = False
    starts, legal = kernels.list_legal(masks)
    return replace(samples, starts=starts, legal=legal)


def test_legal_actions_are_listed_in_order() -> None:
    masks = case()["masks"]
    masks[7] = False
    masks[-1] = True
    starts, legal = kernels.list_legal(masks)
    assert starts[-1] == len(legal) == masks.sum()
    for row, mask in enumerate(masks):
        assert legal[starts[row] : starts[row + 1]].tolist() == np.flatnonzero(mask).tolist()


@pytest.mark.parametrize("magnet_coef", [0.0, MAGNET])
@pytest.mark.parametrize("teacher_coef", [0.0, TEACHER])
def test_the_gradient_is_that_of_the_formulas(magnet_coef: float, teacher_coef: float) -> None:
    given = case()
    expected, means, old = by_autograd(given, magnet_coef, teacher_coef)
    gradient, totals = by_kernel(given, magnet_coef, teacher_coef, old)
    assert gradient == pytest.approx(expected, abs=1e-7)
    assert totals[kernels.CHOICES] == (given["masks"].sum(axis=1) > 1).sum()
    for number, mean in means.items():
        assert totals[number] / totals[kernels.CHOICES] == pytest.approx(mean, abs=1e-5)
    assert 0.1 < means[kernels.CLIPPED] < 0.9


def test_one_legal_action_gives_no_gradient_and_counts_in_no_mean() -> None:
    given = case()
    given["masks"][:] = False
    given["masks"][:, 4] = True
    given["actions"][:] = 4
    given["advice"][:] = 4
    gradient, totals = by_kernel(given, MAGNET, TEACHER, np.zeros(N, np.float32))
    assert not gradient.any()
    assert not totals.any()


def test_entropy_is_over_legal_actions_only() -> None:
    given = case()
    given["logits"][:] = 0
    given["logits"][~given["masks"]] = 100
    _, totals = by_kernel(given, 0.0, 0.0, np.zeros(N, np.float32))
    n_legal = given["masks"].sum(axis=1)
    expected = np.log(n_legal[n_legal > 1]).mean()
    assert totals[kernels.ENTROPY] / totals[kernels.CHOICES] == pytest.approx(expected)


def test_log_probabilities_of_one_of_many_legal_actions() -> None:
    logits = torch.full((2, 2000), 1e5)
    masks = torch.zeros(2, 2000, dtype=torch.int8)
    masks[0, 1234] = 1
    masks[1, :] = 1
    logits.requires_grad_()
    found = masked_log_probabilities(logits, masks)
    assert found[0, 1234] == 0
    assert found[0].exp().sum() == 1
    assert found[0, 0].exp() == 0
    assert float(found[1, 0].detach()) == pytest.approx(-np.log(2000), rel=1e-5)
    torch.autograd.backward(-(found.exp() * found).sum())
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert not logits.grad[0].any()


def config(**settings: Any) -> TrainConfig:
    small = {"num_envs": 16, "num_steps": 24, "num_minibatches": 3, "network": {"hidden": (32,)}}
    given = {"game": "leduc_poker", "total_timesteps": 1, "precision": "float32", **small}
    return TrainConfig.model_validate({**given, **settings})


def collected(
    settings: TrainConfig, *, skip_forced: bool = True
) -> tuple[PPO, Samples, torch.Generator]:
    """Return a learner and its first rollout."""
    game = settings.make_game()
    generator = torch.Generator().manual_seed(4)
    torch.manual_seed(4)
    network = PolicyNetwork(settings.network, game.layout.size, game.actions.size)
    ppo = PPO(network, settings, torch.float32, make_critic(settings, game))
    batch = Batch(game, settings.num_envs, seed=2, skip_forced=skip_forced)
    seating = Seating(settings.num_envs, game.num_players, (), (), generator)
    rollout = Rollout(
        batch,
        seating,
        settings.num_steps,
        generator=generator,
        privileged=settings.privileged_critic,
    )
    rollout.collect(ppo.evaluate)
    return ppo, rollout.samples(1.0, 0.95), generator


RUMMY = {"game": "norwegian_rummy", "options": {"num_players": 3, "episode": "deal"}}


@pytest.mark.parametrize("settings", [{}, RUMMY], ids=["leduc", "rummy"])
def test_the_ratio_is_one_before_the_first_step(settings: dict[str, Any]) -> None:
    """With all samples in one minibatch, the only step of the update sees the old policy."""
    chosen = config(num_minibatches=1, update_epochs=1, **settings)
    ppo, samples, generator = collected(chosen, skip_forced=False)
    losses = ppo.update(samples, 1e-3, 0.01, generator)
    assert losses.old_approx_kl == pytest.approx(0, abs=1e-7)
    assert losses.approx_kl == pytest.approx(0, abs=1e-10)
    assert losses.clipfrac == 0
    again = ppo.update(samples, 1e-3, 0.01, generator)
    assert again.approx_kl > 1e-8


def test_forced_samples_train_the_critic_only() -> None:
    """Every sample is made one of a single legal action: the policy's head stays as it is."""
    ppo, samples, generator = collected(config())
    samples = forced_to(samples, np.arange(len(samples.actions)))
    before = {name: value.clone() for name, value in ppo.network.state_dict().items()}
    losses = ppo.update(samples, 1e-3, 0.05, generator)
    after = ppo.network.state_dict()
    assert torch.equal(after["policy_head.weight"], before["policy_head.weight"])
    assert not torch.equal(after["value_head.weight"], before["value_head.weight"])
    assert losses.policy_loss == losses.entropy == 0


def test_forced_samples_have_no_part_in_normalising_advantages() -> None:
    ppo, samples, _ = collected(config())
    rows = samples.rows
    forced = rows[::3]
    samples = forced_to(samples, forced)
    gradients = []
    for advantage in (0.0, 1000.0):
        samples.advantages[forced] = advantage
        logits = ppo.evaluate(ppo._gather(samples, rows))[0].detach()
        totals = np.zeros(kernels.N_TOTALS)
        gradients.append(ppo._policy_gradient(samples, rows, logits, (0.0, 0.0), totals).clone())
        kernels.clear_gradient(ppo._gradient, rows, samples.starts, samples.legal)
    assert torch.equal(*gradients)
    assert gradients[0].any()


def test_a_better_action_becomes_likelier() -> None:
    ppo, samples, generator = collected(config(ent_coef=0.0))
    best = 1
    samples.advantages[:] = np.where(samples.actions == best, 1, -1)
    for _ in range(10):
        ppo.update(samples, 1e-3, 0.0, generator)
    with torch.inference_mode():
        logits, _ = ppo.evaluate(samples.observations[torch.from_numpy(samples.rows)])
    masks = torch.from_numpy(masks_of(samples)[samples.rows])
    found = masked_log_probabilities(logits, masks)[:, best].exp()
    before = np.exp(samples.log_probabilities[samples.rows[samples.actions[samples.rows] == best]])
    assert float(found.mean()) > before.mean() + 0.1


def test_target_kl_ends_an_update_early() -> None:
    steps = []
    for target in (None, 1e-9):
        ppo, samples, generator = collected(config(target_kl=target, update_epochs=5))
        ppo.update(samples, 1e-3, 0.0, generator)
        state = ppo.optimizer.state_dict()["state"]
        steps.append(int(state[0]["step"]))
    assert steps == [15, 3]


def test_the_magnet_holds_the_policy_back_and_follows_when_due() -> None:
    moved = []
    for coefficient in (1e-9, 5.0):
        chosen = config(kl_magnet_coef=coefficient, kl_magnet_interval=3)
        ppo, samples, generator = collected(chosen)
        assert ppo.magnet is not None
        start = ppo.magnet.policy_head.weight.clone()
        for _ in range(2):
            losses = ppo.update(samples, 3e-3, 0.0, generator)
        assert torch.equal(ppo.magnet.policy_head.weight, start)
        moved.append(losses.magnet_kl)
        ppo.update(samples, 3e-3, 0.0, generator)
        assert torch.equal(ppo.magnet.policy_head.weight, ppo.network.policy_head.weight)
    assert moved[1] < 0.5 * moved[0]


def test_clipped_value_loss() -> None:
    ppo, samples, _ = collected(config(clip_vloss=True))
    rows = samples.rows[:2]
    samples.values[rows] = [0.0, 0.0]
    samples.returns[rows] = [1.0, 1.0]
    loss = ppo._value_loss(samples, rows, torch.tensor([0.9, 0.1]))
    # A value 0.9 moved too far for its small error: it counts as 0.2, off by 0.8.
    assert float(loss) == pytest.approx(0.5 * (0.8**2 + 0.9**2) / 2)


def test_a_loss_that_is_no_number_is_refused() -> None:
    ppo, samples, generator = collected(config())
    samples.advantages[samples.rows[0]] = np.nan
    with pytest.raises(DivergedError, match="learning_rate"):
        ppo.update(samples, 1e-3, 0.0, generator)


@pytest.mark.parametrize("separate", [False, True])
@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("skip", [False, True])
def test_networks_of_every_shape(separate: bool, norm: bool, skip: bool) -> None:
    shape = NetworkConfig(
        hidden=(8, 4), activation="tanh", layer_norm=norm, separate_critic=separate, skip=skip
    )
    network = PolicyNetwork(shape, 5, 3)
    logits, values = network(torch.zeros(2, 5))
    assert (logits.shape, values.shape) == ((2, 3), (2,))
    assert logits.dtype == values.dtype == torch.float32
    shares = masked_log_probabilities(network(torch.randn(50, 5))[0], torch.ones(50, 3)).exp()
    assert shares.detach().numpy() == pytest.approx(1 / 3, abs=0.05)


def test_a_skip_adds_the_observation_to_the_logits() -> None:
    network = PolicyNetwork(NetworkConfig(hidden=(8,), skip=True), 5, 3)
    seen = torch.randn(4, 5)
    before, values = network(seen)
    assert network.skip is not None
    with torch.no_grad():
        network.skip.weight.copy_(torch.arange(15.0).reshape(3, 5))
    after, unchanged = network(seen)
    assert (values == unchanged).all()
    added = (seen @ torch.arange(15.0).reshape(3, 5).T).numpy()
    assert (after - before).detach().numpy() == pytest.approx(added, abs=1e-4)


def test_a_policy_comes_to_do_as_its_teacher() -> None:
    ppo, samples, generator = collected(config(learning_rate=3e-3))
    samples.advice[:] = masks_of(samples).argmax(axis=1)
    for _ in range(12):
        losses = ppo.update(samples, 3e-3, 0.0, generator, teacher_weight=1.0)
    assert losses.teacher_loss < 0.2
    with torch.inference_mode():
        logits, _ = ppo.evaluate(samples.observations[torch.from_numpy(samples.rows)])
    masks = torch.from_numpy(masks_of(samples)[samples.rows])
    found = masked_log_probabilities(logits, masks).argmax(dim=1).numpy()
    assert (found == samples.advice[samples.rows]).mean() > 0.95


def test_an_update_with_one_sample_a_minibatch_stays_finite() -> None:
    ppo, samples, generator = collected(config(num_envs=2, num_steps=3, num_minibatches=6))
    losses = ppo.update(samples, 1e-3, 0.01, generator)
    assert np.isfinite([losses.policy_loss, losses.value_loss, losses.entropy]).all()


def test_the_policy_can_be_an_average_of_the_weights() -> None:
    ppo, samples, generator = collected(config(average_decay=0.75))
    seen = []
    for _ in range(50):
        ppo.update(samples, 1e-2, 0.0, generator)
        seen.append(ppo.network.policy_head.weight.detach().clone())
    mean = seen[9]  # up to the tenth update there is nothing to average
    for number, weight in enumerate(seen[10:], start=11):
        kept = min(0.75, 1 - 10 / number)
        mean = kept * mean + (1 - kept) * weight
    assert ppo.policy is ppo.average
    assert torch.allclose(ppo.policy.policy_head.weight, mean, atol=1e-6)
    assert not torch.allclose(seen[-1], mean, atol=1e-4)
    plain, _, _ = collected(config())
    assert plain.policy is plain.network


def test_a_privileged_critic_judges_and_the_policy_sees_only_its_observation() -> None:
    """Other values and advantages than the network's own; everything learns; the policy does not
    depend on what is hidden."""
    ppo, samples, generator = collected(config(privileged_critic=True))
    critic, width = ppo.critic, ppo.network.n_observations
    assert critic is not None
    views = samples.observations[samples.rows]
    assert views.shape[1] == kt.game("leduc_poker").spec.privileged.size > width
    with torch.no_grad():
        logits, values = ppo.evaluate(views)
        blind, own = ppo.evaluate(views[:, :width])
        assert torch.equal(values, critic(views))
    assert torch.equal(logits, blind)
    assert not torch.allclose(values, own)
    assert values.numpy() == pytest.approx(samples.values[samples.rows], abs=1e-6)
    parts = {"policy": ppo.network.policy_head, "own": ppo.network.value_head, "critic": critic}
    before = {name: deepcopy(part.state_dict()) for name, part in parts.items()}
    losses = [ppo.update(samples, 5e-3, 0.01, generator).value_loss for _ in range(20)]
    for name, part in parts.items():
        changed = [not torch.equal(v, before[name][k]) for k, v in part.state_dict().items()]
        assert all(changed), name
    assert losses[-1] < 0.8 * losses[0]


@pytest.mark.parametrize("length", [0.01, 1e6])
def test_long_gradients_are_shortened_as_torch_does_it(length: float) -> None:
    ppo, _, _ = collected(config(max_grad_norm=length))
    expected = []
    for parameter in ppo.network.parameters():
        parameter.grad = torch.randn_like(parameter)
        expected.append(torch.nn.Parameter(parameter.detach().clone()))
        expected[-1].grad = parameter.grad.clone()
    torch.nn.utils.clip_grad_norm_(expected, length)
    ppo._shorten_gradients(ppo.network)
    for parameter, other in zip(ppo.network.parameters(), expected, strict=True):
        assert parameter.grad is not None
        assert other.grad is not None
        assert torch.allclose(parameter.grad, other.grad, rtol=1e-4)
