import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Tests run side by side: threads that wait for each other would slow all of them down."""
    torch.set_num_threads(1)
