"""walkon as a ROS 2 node: observation in, action out. Not run in CI, which has no ROS; StepIn, its core, is tested.

Start `walkon agent agent.safetensors` on the robot, then `python3 ros2_node.py` in a sourced ROS 2 environment.
"""

import rclpy
from rclpy.node import Node
from std_msgs.msg import String

from walkon import Client, StepIn


class WalkOn(Node):
    def __init__(self):
        super().__init__("walkon")
        address = self.declare_parameter("address", "http://127.0.0.1:8090").value
        patience = self.declare_parameter("patience", 1.0).value  # seconds that a callback may take
        session = Client(address).open(id=self.declare_parameter("session", "robot").value)  # may take longer
        self.robot = StepIn(Client(address, patience=patience).session(session.name))
        self.actions = self.create_publisher(String, "action", 10)
        self.create_subscription(String, "observation", self.read, 10)
        self.create_subscription(String, "executed", self.executed, 10)
        self.actions.publish(String(data=self.robot.command))

    def read(self, message):
        self.actions.publish(String(data=self.robot.read(message.data)))
        self.warn()

    def executed(self, message):
        self.robot.executed(message.data)
        self.warn()

    def warn(self):
        if self.robot.problem:
            self.get_logger().warning(self.robot.problem)


rclpy.init()
rclpy.spin(WalkOn())
